// millrace help [topic]: a command's help, or what the exit codes mean.

import { Command } from 'commander'
import { exitCodes, usageError } from './output/cli-error.ts'

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
  return new Command('help')
    .description('help about a command, or: exit-codes')
    .argument('[topic...]', 'a command, or exit-codes')
    .action((topic: readonly string[]) => {
      if (topic[0] === 'exit-codes') process.stdout.write(exitCodesHelp())
      else commandAt(program, topic).outputHelp()
    })
}

function exitCodesHelp(): string {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  const lines = names.map((name) => `  ${String(exitCodes[name]).padEnd(5)}${meanings[name]}`)
  return `Exit codes; scripts may rely on them.\n\n${lines.join('\n')}\n`
}

function commandAt(program: Command, path: readonly string[]): Command {
  return path.reduce((command, name) => {
    const next = command.commands.find((one) => one.name() === name)
    if (!next)
      throw usageError(`There is no command '${path.join(' ')}'.`, '`millrace --help` lists what there is.')
    return next
  }, program)
}
