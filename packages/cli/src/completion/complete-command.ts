// millrace __complete -- <words>: what the scripts of the shells ask. A candidate a line, with a tab before what it is.

import { Command } from 'commander'
import { completeWords } from './complete-words.ts'
import { knownNames } from './known-names.ts'

export function completeCommand(program: Command): Command {
  return new Command('__complete')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: readonly string[]) => {
      const candidates = await completeWords(program, words, knownNames)
      const lines = candidates.map(({ value, about }) => `${value}\t${about.split('\n')[0]}\n`)
      // A question that came too late may still be under way; whoever pressed Tab does not wait for it.
      process.stdout.write(lines.join('').replace(/^(:files)\t/, '$1'), () => process.exit(0))
    })
}
