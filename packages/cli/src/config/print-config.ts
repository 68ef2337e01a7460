// millrace config print: what a server started with these flags here would go by, and where each value comes from.

import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { withExamples, withJson } from '../command.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { table } from '../output/table.ts'
import { createTerminal } from '../output/terminal.ts'

export function printConfigCommand(): Command {
  const command = withJson(new Command('print'))
    .description("a server's options as they would count here, with their sources; secrets are masked")
    .argument('[flags...]', 'the flags of `start`')
    .allowUnknownOption()
    .action(async (args: readonly string[], flags: { readonly json?: boolean }) => {
      const terminal = createTerminal(flags.json === true)
      const { describeConfig, readConfig, showProblems } = await import('@millrace/server')
      const read = readConfig({ args, env: process.env, readFile: (path) => readFileSync(path, 'utf8') })
      if ('help' in read) return terminal.result(read, ({ help }) => help)
      if ('problems' in read) {
        throw new CliError(`The configuration does not hold:\n${showProblems(read)}`, {
          exitCode: exitCodes.usage,
          code: 'config_invalid',
          details: { problems: read.problems },
        })
      }
      const options = describeConfig(read.config, read.sources)
      terminal.result({ options }, (shown) =>
        table(
          ['option', 'value', 'from'],
          shown.options.map(({ option, value, source }) => [option, value, source]),
          terminal.width,
        ),
      )
    })
  return withExamples(
    command,
    'millrace config print',
    'millrace config print --redis redis://localhost:6379 --port 8080',
    'MILLRACE_CONFIG=millrace.json millrace config print --json',
  )
}
