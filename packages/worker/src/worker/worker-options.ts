// How a worker is set up.

import type { Token } from '../connection/dial.ts'
import type { Extension } from '../extension/extension.ts'
import type { RunnerUser } from '../runner/runner-options.ts'

export interface Logger {
  info(message: string): void
  warn(message: string): void
}

export interface WorkerOptions {
  /** Where the server is, such as `http://127.0.0.1:7717`. */
  readonly url: string
  /** A credential, or how to fetch one: it is asked for at every connect, so a token that expires can be renewed. */
  readonly token?: Token
  readonly extensions: readonly Extension[]
  /** The room of extensions that name none. */
  readonly room?: string
  /**
   * The worker's own id, the same after a restart, so that it carries on with its jobs. By default it is made of host
   * name, working folder and extensions; further processes of the same kind on a machine get -2, -3, …
   */
  readonly id?: string
  /** `pool` takes an admin's credential. Default `client`. */
  readonly kind?: 'client' | 'pool'
  /** Jobs at the same time. More keeps a worker busy whose jobs wait for others; each takes memory. Default 1. */
  readonly slots?: number
  /**
   * How many jobs it takes beyond its slots, to begin them the moment a slot comes free. The server uses it only for
   * extensions whose runs were measured to take a few milliseconds. More keeps slots fuller; less leaves more for other
   * workers. 0 for none; default 30 for each slot, at most 3,000, of which all are used only for runs below 2 ms.
   */
  readonly ahead?: number
  /** What else it has; jobs of extensions with `policy.needs` are placed by it. */
  readonly offers?: {
    readonly cpu?: number
    readonly memoryMb?: number
    readonly gpu?: number
    readonly labels?: readonly string[]
  }
  /** `process` runs every job in a process of its own that can be killed; it takes `module`. Default `none`. */
  readonly isolation?: 'none' | 'process'
  /** The module that defines the extensions, usually `import.meta.url`: runners import it. */
  readonly module?: string
  /**
   * What a job in a runner may have, with all processes it starts. Less ends jobs that leak sooner; a job that needs
   * more fails. By default the slots share four fifths of the machine's memory.
   */
  readonly runnerMemoryMb?: number
  /** Cores of a runner and what it starts; held only where there is a control group. Default: all. */
  readonly runnerCpus?: number
  /**
   * Variables of the worker's environment that runners see beside `PATH`, `HOME`, `TMPDIR`, `TZ`, the language and
   * `NODE_ENV`; `AWS_*` stands for all that begin so. Variables of Millrace are kept from them in any case.
   */
  readonly runnerEnv?: readonly string[]
  /**
   * The user runners work as; takes a worker that runs as root. It has to be able to read the modules. With `optional`
   * the worker's own user will do otherwise, with a warning. Default: the worker's own.
   */
  readonly runnerUser?: RunnerUser | null
  /**
   * Folder of a control group (v2) that may be divided among runners. By default the one that the worker's is in, where
   * that was delegated to its user; null for none.
   */
  readonly runnerCgroup?: string | null
  /** How long a runner beyond the first may wait for a job. More starts jobs faster, less saves memory. Default 5 min. */
  readonly runnerIdleMs?: number
  /** How often runners beyond need and what jobs have left behind are looked for. Default 60 s. */
  readonly sweepMs?: number
  /**
   * Whether beats say how busy the machine is: a worker on one whose memory or processors are overloaded gets no jobs
   * until that is over. `false` takes jobs however busy it is. Default true.
   */
  readonly vitals?: boolean
  /** How long `stop` waits for jobs that run. Longer loses less work, shorter restarts faster. Default 30 s. */
  readonly shutdownTimeoutMs?: number
  /** Whether SIGTERM and Ctrl-C stop the worker in order and then end the process. Default true. */
  readonly handleSignals?: boolean
  /** By default a line at connect and at trouble, on stderr; `false` for silence. */
  readonly logger?: Logger | false
}

export const defaultSlots = 1
export const aheadPerSlot = 30
export const aheadAtMost = 3_000
export const defaultShutdownTimeoutMs = 30_000

export const stderrLogger: Logger = {
  info: (message) => console.error(`millrace: ${message}`),
  warn: (message) => console.error(`millrace: ${message}`),
}
