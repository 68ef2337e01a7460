// A pool: Millrace's own worker. It is the worker SDK with process isolation and the built-in extensions, and goes exactly
// the way of any other worker; what it adds is the choice of who its runners are.

import { builtinExtensions, builtinsModule } from '@millrace/extensions'
import { createWorker, type Extension, type Logger, type RunnerUser, type Token } from '@millrace/worker'

export interface PoolOptions {
  /** Where the server is. */
  readonly url: string
  /** A pool token, or how to fetch one: it is asked for at every connect. */
  readonly token: Token
  /** Jobs at the same time, each in a runner of its own. More takes more memory. Default 10. */
  readonly slots?: number
  /** What one job may have, with all processes it starts. Default 512. */
  readonly runnerMemoryMb?: number
  /** How often runners beyond need and what jobs have left behind are looked for. Default 60 s. */
  readonly sweepMs?: number
  /** How long a runner beyond the first may wait for a job. Default 5 min. */
  readonly runnerIdleMs?: number
  /** The same after a restart, so that the pool carries on with its jobs. By default made of host and folder. */
  readonly id?: string
  /**
   * Whom its jobs work as. By default nobody in particular (65534) for a pool that was started by root, if that user can
   * read the modules, and otherwise the user who started it; null for that user in any case.
   */
  readonly user?: RunnerUser | null
  /** How long `stop` waits for jobs that run. Longer loses less work, shorter restarts faster. Default 30 s. */
  readonly shutdownTimeoutMs?: number
  /** Whether a machine that is overloaded gets no more jobs. Default true. */
  readonly vitals?: boolean
  readonly logger?: Logger | false
  /** Instead of the built-in extensions; takes the module that defines them, and another credential. */
  readonly extensions?: { readonly all: readonly Extension[]; readonly module: string }
}

export interface Pool {
  readonly id: string
  /** Takes no more jobs, waits for those that run, and ends everything; then nothing of it is left running. */
  stop(): Promise<void>
}

const defaultSlots = 10
const defaultRunnerMemoryMb = 512
/** The user that Unix keeps for those who are to own nothing. */
const nobody: RunnerUser = { uid: 65_534, gid: 65_534, optional: true }

/** Resolves when the server gives it jobs; rejects with `WorkerRefused` when the server never will. */
export async function startPool(options: PoolOptions): Promise<Pool> {
  const { slots = defaultSlots, runnerMemoryMb = defaultRunnerMemoryMb, ...rest } = options
  const { extensions, user, ...asGiven } = rest
  const worker = createWorker({
    ...asGiven,
    kind: 'pool',
    isolation: 'process',
    extensions: extensions?.all ?? builtinExtensions,
    module: extensions?.module ?? builtinsModule,
    slots,
    runnerMemoryMb,
    runnerUser: user === undefined ? userByDefault() : user,
    // Whoever starts a pool stops it: it lives in a process with other parts.
    handleSignals: false,
  })
  await worker.start()
  return { id: worker.id ?? '', stop: () => worker.stop() }
}

function userByDefault(): RunnerUser | null {
  return process.getuid?.() === 0 ? nobody : null
}
