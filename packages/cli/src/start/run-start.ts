// millrace start: every option is the server's own and is read by it, so that flags, variables, file and help agree.

import { Command } from 'commander'
import { withJson } from '../command.ts'
import { self } from '../output/own-name.ts'
import { createTerminal } from '../output/terminal.ts'

const usage = `Usage: millrace start [options]

a server for others, with its pool; several of them share a Redis

  $ ${self} start --host 0.0.0.0 --public-url https://millrace.example.org --data-dir /var/lib/millrace
  $ ${self} start --redis redis://10.0.0.5:6379 --pool-slots 0
`

export function runStartCommand(): Command {
  const command = new Command('start')
    .description('a server for others, with its pool; several of them share a Redis')
    .usage('[options]   (start --help lists them)')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
  return withJson(command).action(runStart)
}

async function runStart({ json }: { readonly json?: boolean }, { args }: Command): Promise<void> {
  const terminal = createTerminal(json === true)
  if (args.includes('--help') || args.includes('-h')) {
    const { renderHelp } = await import('@millrace/server')
    terminal.result({ usage, options: renderHelp() }, (help) => `${help.usage}\n${help.options}`)
    return
  }
  const { serveStart } = await import('./serve-start.ts')
  await serveStart(args, terminal)
}
