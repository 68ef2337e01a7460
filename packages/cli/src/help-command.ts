// millrace help [topic]: a command's help, or what the exit codes mean.

import { Command } from 'commander'
import { withExamples, withJson } from './command.ts'
import { exitCodes, usageError } from './output/cli-error.ts'
import { self } from './output/own-name.ts'
import { createTerminal } from './output/terminal.ts'

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done; a job that was followed completed',
  refused: 'the server refused, the job that was followed failed, or `doctor` found a fault',
  usage: 'the command line or the configuration is wrong; nothing was asked',
  unreachable: 'no Millrace server answers there, or it is not ready',
  forbidden: 'no credential, one that does not hold, or one that may not',
  cancelled: 'the job that was followed was cancelled',
  interrupted: 'Ctrl-C while following; the job goes on',
}

export function helpCommand(program: Command): Command {
  const command = withJson(new Command('help'))
    .description('help about a command, or: exit-codes')
    .argument('[topic...]', 'a command, or exit-codes')
    .action((topic: readonly string[], { json }: { readonly json?: boolean }) => {
      const terminal = createTerminal(json === true)
      if (topic[0] === 'exit-codes') return terminal.result({ exitCodes: listed() }, showExitCodes)
      const about = commandAt(program, topic)
      if (json !== true) return about.outputHelp()
      terminal.result({ help: about.helpInformation() }, ({ help }) => help)
    })
  return withExamples(command, 'millrace help jobs ls', 'millrace help exit-codes')
}

interface ListedCode {
  readonly code: number
  readonly meaning: string
}

function listed(): readonly ListedCode[] {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  return names.map((name) => ({ code: exitCodes[name], meaning: meanings[name] }))
}

function showExitCodes({ exitCodes: codes }: { readonly exitCodes: readonly ListedCode[] }): string {
  const lines = codes.map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`)
  return `Exit codes; scripts may rely on them.\n\n${lines.join('\n')}`
}

function commandAt(program: Command, path: readonly string[]): Command {
  return path.reduce((command, name) => {
    const next = command.commands.find((one) => one.name() === name)
    if (!next)
      throw usageError(`There is no command '${path.join(' ')}'.`, `\`${self} --help\` lists what there is.`)
    return next
  }, program)
}
