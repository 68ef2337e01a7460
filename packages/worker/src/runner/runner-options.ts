// How runners are set up; a worker's options say the same in the words of its author.

import { totalmem } from 'node:os'
import { defaultSlots, type Logger, type WorkerOptions } from '../worker/worker-options.ts'
import { WorkerError } from '../worker-error.ts'

export interface RunnerUser {
  readonly uid: number
  readonly gid: number
  /** The worker's own user will do where this one cannot read the module; it is warned of. */
  readonly optional?: boolean
}

export interface RunnerOptions {
  /** URL or path of the module that defines the extensions. */
  readonly module: string
  /** What a job may have on top of what an empty runner needs, with everything it starts. */
  readonly memoryMb: number
  /** Cores of a runner and what it starts, where there is a control group. */
  readonly cpus?: number
  /** Further variables of the worker's environment that runners see; `NAME_*` stands for all that begin so. */
  readonly env?: readonly string[]
  readonly user?: RunnerUser | null
  /** Folder of a control group (v2) that is ours to divide; null for none, and looked for when left out. */
  readonly cgroup?: string | null
  readonly sweepMs?: number
  readonly idleMs?: number
  readonly logger?: Logger | null
}

/** How often what is idle, dead or left behind is looked for. */
export const defaultSweepMs = 60_000
/** A new runner takes a few tenths of a second to start, an idle one some 60 MB. */
export const defaultIdleMs = 300_000
/** What Node itself needs without any job, so that a limit means the job's own memory. */
export const emptyRunnerMb = 64

/** Of the machine's memory, for all slots together: the rest is for the worker and everybody else. */
const machineShare = 0.8
/** On a machine with many slots and little memory; less would not run anything. */
const leastMb = 128

/** Of a worker with process isolation; throws a WorkerError when it cannot have runners. */
export function runnerOptions(options: WorkerOptions, logger: Logger | null): RunnerOptions {
  const { module, runnerMemoryMb, runnerCpus, runnerEnv, runnerUser, runnerCgroup, runnerIdleMs } = options
  if (module === undefined) {
    throw new WorkerError(
      "isolation 'process' takes the module of the extensions: `module: import.meta.url`.",
    )
  }
  return {
    module,
    logger,
    memoryMb: runnerMemoryMb ?? fairShareMb(options.slots ?? defaultSlots),
    ...(runnerCpus !== undefined && { cpus: runnerCpus }),
    ...(runnerEnv !== undefined && { env: runnerEnv }),
    ...(runnerUser !== undefined && { user: runnerUser }),
    ...(runnerCgroup !== undefined && { cgroup: runnerCgroup }),
    ...(runnerIdleMs !== undefined && { idleMs: runnerIdleMs }),
    ...(options.sweepMs !== undefined && { sweepMs: options.sweepMs }),
  }
}

function fairShareMb(slots: number): number {
  return Math.max(leastMb, Math.floor((totalmem() * machineShare) / slots / 1024 / 1024))
}
