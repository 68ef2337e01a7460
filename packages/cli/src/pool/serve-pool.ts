// A pool as a process: it serves until it is told to stop. Beside a server it is looked after: it gets its token from
// there at every connect, says when it is ready, and is gone when the server is, however that ended.

import { startPool } from '@millrace/pool'
import { WorkerRefused } from '@millrace/worker'
import { refused } from '../connection/api.ts'
import type { Target } from '../connection/target.ts'
import type { Terminal } from '../output/terminal.ts'
import { stopRequest } from '../process/stop-request.ts'
import { endWithSupervisor, type SupervisorLine } from '../process/supervisor-line.ts'
import { type PoolReady, tokenPlease } from './pool-message.ts'
import type { PoolFlags } from './run-pool.ts'

interface PoolSetup {
  readonly flags: PoolFlags
  readonly target: Target
  /** Null: the supervisor has it. */
  readonly token: string | null
  readonly terminal: Terminal
  readonly supervisor: SupervisorLine | null
}

export async function servePool({ flags, target, token, terminal, supervisor }: PoolSetup): Promise<void> {
  // Its runners are ended as this process exits; nothing of its jobs could be reported any more.
  if (supervisor !== null) endWithSupervisor(() => process.exit(1))
  const stop = stopRequest(() => undefined)
  const { slots, runnerMemoryMb, sweepMs, shutdownTimeoutMs, howeverBusy = false, quiet } = flags
  const starting = startPool({
    url: target.url,
    token: token ?? (async () => String(await supervisor?.ask(tokenPlease))),
    slots,
    runnerMemoryMb,
    sweepMs,
    shutdownTimeoutMs,
    vitals: !howeverBusy,
    logger: {
      info: (text) => {
        if (quiet !== true) terminal.say(text)
      },
      warn: (text) => terminal.warn(text),
    },
  }).catch((error: unknown) => {
    throw error instanceof WorkerRefused ? refused(error.problem.status, error.problem, target) : error
  })
  const pool = await Promise.race([starting, stop.then(() => null)])
  if (pool !== null) {
    supervisor?.tell({ ready: pool.id } satisfies PoolReady)
    if (terminal.json) terminal.record({ pool: pool.id, slots, url: target.url }, () => '')
    await stop
    await pool.stop()
  }
  process.exit(0)
}
