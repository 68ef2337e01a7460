// millrace openapi

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { CliError } from '../output/cli-error.ts'

export function printOpenapiCommand(): Command {
  const command = withTarget(new Command('openapi'))
    .description("the server's interface in OpenAPI 3.1, as JSON")
    .action(async (flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      const page = await api.ask('GET /openapi.json', {}).catch((error: unknown) => {
        throw withReason(error)
      })
      terminal.result(page, (shown) => JSON.stringify(shown, null, 2))
    })
  return withExamples(command, 'millrace openapi > openapi.json')
}

function withReason(error: unknown): unknown {
  if (!(error instanceof CliError) || error.facts.code !== 'route_not_found') return error
  return new CliError('The server does not describe itself.', {
    ...error.facts,
    next: 'It does with --docs (or MILLRACE_DOCS=on), and by itself on a loopback address.',
  })
}
