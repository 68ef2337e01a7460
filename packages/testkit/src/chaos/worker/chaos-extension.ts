// What the workers of the cluster serve: a handler that notes its begin and its end in the ledger, takes as long as the
// job says, logs lines and, where the job says so, holds a lock. Runners import this file as well, so it learns from its environment whose it is.

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defineExtension, type Extension, failed, type Job } from '@millrace/worker'
import { Ledger, type LedgerLine, ledgerName } from './ledger.ts'
import { numberedLine } from './numbered-line.ts'
import { RoomLock } from './room-lock.ts'

export interface ChaosData {
  readonly ms: number
  /** So many tries fail before one succeeds. */
  readonly failures?: number
  /** It holds the lock of its room meanwhile. */
  readonly locks?: boolean
}

/** What a completed job has as its result: which execution it is the fruit of. */
export interface ChaosResult {
  readonly run: string
}

/** Everybody serves `Work`; `Isolated` only the pool, and `Rest` the REST worker and those of the SDK. */
export const extensionNames = { work: 'Work', isolated: 'Isolated', rest: 'Rest' } as const
export const category = 'chaos'

export const policy = {
  // The breaker is not what is tested here, and killed runners count as failures.
  breaker: { failuresToOpen: 1_000 },
  job: { maxAttempts: 15, backoffBaseMs: 100, backoffCapMs: 1_000, acceptMs: 5_000 },
}

// Of its pool's environment a runner sees where temporary files go, and hardly anything else.
const { CHAOS_WORKER: worker = 'pool' } = process.env

let opened: Ledger<LedgerLine> | null = null
function ledger(): Ledger<LedgerLine> {
  opened ??= new Ledger(join(tmpdir(), ledgerName))
  return opened
}

async function run(job: Job<ChaosData>): Promise<unknown> {
  const { id, data, attempt, signal } = job
  const run = randomUUID()
  ledger().write({ step: 'begin', at: Date.now(), job: id, run, worker, pid: process.pid })
  job.log(numberedLine(run, 1))
  const lock = data.locks ? await RoomLock.take(ledger(), job, run) : null
  await pause(data.ms / 2, undefined, { signal })
  job.log(numberedLine(run, 2))
  await pause(data.ms / 2, undefined, { signal })
  await lock?.finish()
  job.log(numberedLine(run, 3))
  ledger().write({ step: 'end', at: Date.now(), job: id, run })
  return attempt <= (data.failures ?? 0) ? failed('as it was told to') : ({ run } satisfies ChaosResult)
}

function extension(name: string): Extension<ChaosData> {
  return defineExtension<ChaosData>({
    category,
    name,
    scope: 'global',
    schema: { type: 'object' },
    policy,
    run,
  })
}

export const work: Extension<ChaosData> = extension(extensionNames.work)
export const isolated: Extension<ChaosData> = extension(extensionNames.isolated)
export const rest: Extension<ChaosData> = extension(extensionNames.rest)
