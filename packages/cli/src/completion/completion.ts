// millrace completion

import { Argument, Command } from 'commander'
import { withExamples } from '../command.ts'
import { createTerminal } from '../output/terminal.ts'
import { completionScripts, type Shell, shells } from './completion-script.ts'

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('a script with which your shell completes commands, rooms, extensions and jobs')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .action((shell: Shell) => {
      process.stdout.write(completionScripts[shell])
      if (process.stdout.isTTY === true) createTerminal(false).say('\nThe first lines say where to put it.')
    })
  return withExamples(
    command,
    'source <(millrace completion bash)',
    'millrace completion fish > ~/.config/fish/completions/millrace.fish',
  )
}
