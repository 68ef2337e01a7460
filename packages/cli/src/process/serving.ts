// A server with its pool beside it, until somebody wants it to stop: nothing is placed from then on, the pool ends first, so
// that its jobs are reported, then the server.

import { builtinExtensions } from '@millrace/extensions'
import { type ReadConfig, runServer, type ServerLog, type ServerRun } from '@millrace/server'
import type { Terminal } from '../output/terminal.ts'
import { KeptPool } from '../pool/kept-pool.ts'
import { version } from '../version.ts'
import { startFault } from './start-fault.ts'
import { stopRequest } from './stop-request.ts'

export interface Serving {
  readonly run: ServerRun
  /** Null: the configuration gives it no slots. */
  readonly pool: KeptPool | null
}

export async function startServing({ config, sources }: ReadConfig, log: ServerLog): Promise<Serving> {
  const builtins = builtinExtensions.map(({ category, name }) => ({ category, name }))
  try {
    const run = await runServer({ config, sources, version, builtins, log })
    const keeping = {
      url: run.url,
      config,
      token: () => run.poolToken(),
      warn: (text: string) => log.warn(text),
      flags: config.poolHoweverBusy ? ['--however-busy'] : [],
    }
    return { run, pool: config.poolSlots === 0 ? null : new KeptPool(keeping) }
  } catch (error) {
    throw startFault(error, config)
  }
}

/** `leave` is done first of all: a second request waits for nothing that comes later. */
export async function serveUntilStopped(
  { run, pool }: Serving,
  terminal: Terminal,
  leave: () => void = () => undefined,
): Promise<never> {
  await stopRequest(() => pool?.drop())
  leave()
  terminal.say('Stopping. Ctrl-C again does not wait.')
  await run.retire()
  await pool?.stop()
  await run.stop(pool?.workers)
  terminal.say('Stopped.')
  process.exit(0)
}
