// What commands share: the options that say which server is meant, and how an action gets its terminal and its target.

import { Command } from 'commander'
import { Api } from './connection/api.ts'
import { findTarget, type Target, type TargetFlags } from './connection/target.ts'
import { createTerminal, type Terminal } from './output/terminal.ts'

export interface GlobalFlags extends TargetFlags {
  readonly json?: boolean
}

/** What an action works with. Which server is meant is found out only when it is asked for. */
export interface Session {
  readonly terminal: Terminal
  readonly target: Target
  readonly api: Api
}

/** The options of commands that speak to a server. */
export function withTarget(command: Command): Command {
  return command
    .option('--url <url>', 'the server (MILLRACE_URL; default: the profile, else http://127.0.0.1:7717)')
    .option('--profile <name>', 'a server you signed in to (MILLRACE_PROFILE; default: the last one)')
    .option('--json', 'print JSON, for programs')
}

/** The same, for commands about one room. */
export function withRoom(command: Command): Command {
  return withTarget(command).option('--room <room>', "the room (MILLRACE_ROOM; default: the profile's)")
}

export function sessionOf(flags: GlobalFlags): Session {
  const terminal = createTerminal(flags.json === true)
  const target = findTarget(flags, process.env)
  return { terminal, target, api: new Api(target) }
}

/** A noun with its verbs; without one it shows its help. */
export function noun(name: string, about: string): Command {
  return new Command(name).description(about).helpCommand(false)
}
