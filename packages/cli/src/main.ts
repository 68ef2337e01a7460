// The command line as a process: parses, runs, and ends with an exit code that says how it went.

import { CommanderError } from 'commander'
import { CliError, exitCodes, usageError } from './output/cli-error.ts'
import { self } from './output/own-name.ts'
import { createTerminal } from './output/terminal.ts'
import { createProgram } from './program.ts'
import { version } from './version.ts'

const args = process.argv.slice(2)
const isJson = args.includes('--json')

// Whoever reads our output may have had enough of it, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

try {
  await createProgram(version, isJson).parseAsync(args, { from: 'user' })
} catch (error) {
  process.exitCode = exitCodeOf(error)
  if (!(error instanceof CommanderError)) createTerminal(isJson).failed(error)
  // For people, commander has said already what was wrong with the words.
  else if (isJson && error.exitCode !== 0) createTerminal(true).failed(wrongWords(error))
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  return error instanceof CliError ? error.facts.exitCode : exitCodes.refused
}

function wrongWords({ code, message }: CommanderError): CliError {
  if (code === 'commander.help')
    return usageError('A command is missing.', `${self} --help lists what there is.`)
  return usageError(message.replace(/^error: /, ''))
}
