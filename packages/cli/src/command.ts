// What commands share: the options that say which server is meant, and how an action gets its terminal and its target.

import { Command, Option } from 'commander'
import { Api } from './connection/api.ts'
import { findTarget, type Target, type TargetFlags } from './connection/target.ts'
import { asTyped } from './output/own-name.ts'
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

/** A command's own options come first in its help, then these. */
export const where = 'Server and output:'
/** Where nobody looks, as commander has it. */
const usualWidth = 80

/** The options of commands that speak to a server. */
export function withTarget(command: Command): Command {
  const fallback = 'default: the profile, else http://127.0.0.1:7717'
  return withJson(
    command
      .addOption(new Option('--url <url>', `the server (MILLRACE_URL; ${fallback})`).helpGroup(where))
      .addOption(
        new Option('--profile <profile>', 'a server you signed in to (MILLRACE_PROFILE)').helpGroup(where),
      ),
  )
}

export function withJson(command: Command): Command {
  return command.addOption(new Option('--json', 'print JSON, for programs').helpGroup(where))
}

/** The same, for commands about one room. */
export function withRoom(command: Command): Command {
  return withTarget(
    command.addOption(
      new Option('--room <room>', "the room (MILLRACE_ROOM; default: the profile's)").helpGroup(where),
    ),
  )
}

export function sessionOf(flags: GlobalFlags): Session {
  const terminal = createTerminal(flags.json === true)
  const target = findTarget(flags, process.env)
  return { terminal, target, api: new Api(target) }
}

/** A noun with its verbs; without one it shows its help. */
export function noun(name: string, about: string, ...verbs: readonly Command[]): Command {
  const command = new Command(name).description(about).helpCommand(false)
  for (const verb of verbs) command.addCommand(verb)
  return command
}

/** What there is to know beyond the options, as wide as the rest of the help; an empty line ends a paragraph. */
export function withMore(command: Command, text: string): Command {
  const paragraphs = text.trim().split(/\n{2,}/)
  return command.addHelpText('after', () => {
    const help = command.createHelp()
    const { stdout } = process
    const width = stdout.isTTY ? stdout.columns || usualWidth : usualWidth
    return `\n${paragraphs.map((one) => help.boxWrap(one.replaceAll('\n', ' '), width)).join('\n\n')}`
  })
}

/** Lines that can be typed as they stand, below the help of a command. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  $ ${asTyped(line)}`).join('\n')}`,
  )
}
