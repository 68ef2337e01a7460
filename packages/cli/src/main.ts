// The command line as a process: parses, runs, and ends with an exit code that says how it went.

import { CommanderError } from 'commander'
import { CliError, exitCodes } from './output/cli-error.ts'
import { createTerminal } from './output/terminal.ts'
import { createProgram } from './program.ts'
import { version } from './version.ts'

const args = process.argv.slice(2)

try {
  await createProgram(version).parseAsync(args, { from: 'user' })
} catch (error) {
  process.exitCode = exitCodeOf(error)
  // Commander has said already what was wrong with the words.
  if (!(error instanceof CommanderError)) createTerminal(args.includes('--json')).failed(error)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  return error instanceof CliError ? error.facts.exitCode : exitCodes.refused
}
