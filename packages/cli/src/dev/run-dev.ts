// millrace dev

import { Command } from 'commander'
import { withExamples, withJson, withMore } from '../command.ts'
import { self } from '../output/own-name.ts'
import { createTerminal } from '../output/terminal.ts'

export interface DevFlags {
  readonly port?: string
  readonly dataDir?: string
  readonly poolSlots?: string
  readonly logLevel?: string
  readonly json?: boolean
}

const more = `
A server for this machine alone: nothing to install, no account, guests welcome. It keeps its data, opens the room lab,
runs the built-in extensions in a pool beside it, and signs you in (profile dev; dev-<port> while another server has
that), so that in another terminal the other commands work at once. A port that is taken is said, and the next one used.

For others to reach: \`${self} start\`.`

export function runDevCommand(): Command {
  const command = new Command('dev')
    .description('everything on this machine: server, pool, a room, and you signed in')
    .option('--port <port>', 'where to listen (MILLRACE_PORT; default: 7717; 0 takes any)')
    .option('--data-dir <folder>', 'where to keep its data (MILLRACE_DATA_DIR; default: ./.millrace)')
    .option('--pool-slots <count>', 'jobs of built-in extensions at the same time; 0: no pool (default: 10)')
    .option('--log-level <level>', 'debug, info, warn, error (MILLRACE_LOG_LEVEL; default: warn)')
    .action(runDev)
  return withExamples(
    withMore(withJson(command), more),
    'millrace dev',
    'millrace dev --port 8080 --data-dir /tmp/try',
  )
}

/** The server is loaded by whoever needs it: other commands should not wait for it. */
async function runDev(flags: DevFlags): Promise<void> {
  const { serveDev } = await import('./serve-dev.ts')
  await serveDev(flags, createTerminal(flags.json === true))
}
