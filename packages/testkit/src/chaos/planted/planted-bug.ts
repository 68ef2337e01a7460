// Bugs that the checks exist for, each with the faults and the load that bring it out. They are planted into a
// copy of the sources: the product itself has no switch for any of them.

import { leaseMs } from '@millrace/domain'
import type { Fault, FaultKind } from '../fault/fault-plan.ts'
import type { LoadShape } from '../load/load.ts'
import { extensionNames } from '../worker/chaos-extension.ts'

export interface PlantedBug {
  readonly name: string
  /** The file inside the repository, the text that must stand in it once, and what takes its place. */
  readonly file: string
  readonly text: string
  readonly instead: string
  readonly store: 'redis' | 'sqlite'
  readonly load: LoadShape
  readonly faults: readonly Fault[]
  /** The rule by which it is to be found. */
  readonly foundBy: string
}

const calm = { bulkShare: 0, cancelShare: 0 }

function fault(kind: FaultKind, afterMs: number, lastsMs: number, more: Partial<Fault> = {}): Fault {
  return { kind, afterMs, lastsMs, target: 0, flavour: 0, ...more }
}

/** Where the REST worker stands among the workers: after the four of the SDK. */
const restWorker = { target: 4 }

/**
 * The REST worker is stopped in a job of ten seconds until its lease is over and somebody else has begun the job, but
 * not ended it: from 15.2 s to 23 s after the stop, since it beats every two seconds.
 */
const skippedTokenCheck: PlantedBug = {
  name: 'the token of a report is not compared with that of the attempt',
  file: 'packages/domain/src/job/fence.ts',
  text: 'job.attempt?.token === event.token',
  instead: 'job.attempt !== null',
  store: 'sqlite',
  load: {
    ...calm,
    clients: 1,
    leastPauseMs: 1_500,
    mostPauseMs: 2_000,
    works: [{ extension: extensionNames.rest, weight: 1, leastMs: 10_000, mostMs: 10_000 }],
  },
  faults: [
    fault('stop-worker', 4_000, leaseMs + 3_500, restWorker),
    fault('stop-worker', leaseMs + 8_000, leaseMs + 3_500, restWorker),
  ],
  foundBy: 'X4',
}

/** With 400 ms on the way to Redis there is always something acknowledged and not yet there when Redis is killed. */
const earlyAcknowledgement: PlantedBug = {
  name: 'a submit is acknowledged before it is committed',
  file: 'packages/server/src/job/submit-jobs.ts',
  text: 'const outcome = await store.commit(changeOf(store, room, placed, earlier, options))',
  instead:
    'store.commit(changeOf(store, room, placed, earlier, options)).catch(() => undefined)\n' +
    "    const outcome = { outcome: 'committed', revision: 0, sequence: 0 } as Committed",
  store: 'redis',
  load: {
    ...calm,
    clients: 16,
    leastPauseMs: 0,
    mostPauseMs: 100,
    works: [{ extension: extensionNames.work, weight: 1, leastMs: 0, mostMs: 20 }],
  },
  faults: [
    fault('slow-link', 0, 30_000, { target: 0, flavour: 2 }),
    fault('slow-link', 0, 30_000, { target: 1, flavour: 2 }),
    fault('kill-redis', 2_000, 300),
    fault('kill-redis', 2_000, 300),
    fault('kill-redis', 2_000, 300),
  ],
  foundBy: 'X1',
}

/**
 * The server is away for longer than a lease, with jobs on its workers that outlast it: killed, and then stopped, since
 * on a machine where a start takes longer than the grace nobody can tell for whose sake a lease ended after it.
 */
const noGraceAfterStart: PlantedBug = {
  name: 'leases expire right after a start',
  file: 'packages/domain/src/worker/lease.ts',
  text: 'return Math.max(lease.leaseUntil, steadySince + graceMs)',
  instead: 'return lease.leaseUntil',
  store: 'sqlite',
  load: {
    ...calm,
    clients: 1,
    leastPauseMs: 1_000,
    mostPauseMs: 1_400,
    works: [{ extension: extensionNames.work, weight: 1, leastMs: leaseMs + 6_000, mostMs: leaseMs + 7_000 }],
  },
  faults: [fault('kill-server', 6_000, leaseMs + 2_000), fault('stop-server', 4_000, leaseMs + 2_000)],
  foundBy: 'X9',
}

/** Jobs of all kinds of workers that want one lock; those of the REST worker outlast what it asked for. */
const lockLoad: LoadShape = {
  ...calm,
  clients: 2,
  leastPauseMs: 100,
  mostPauseMs: 400,
  works: [
    { extension: extensionNames.rest, weight: 1, leastMs: 4_500, mostMs: 5_000, locks: true },
    { extension: extensionNames.work, weight: 3, leastMs: 50, mostMs: 200, locks: true },
  ],
}

const lockGivenAway: PlantedBug = {
  name: 'a lock is given to whoever asks',
  file: 'packages/domain/src/lock/hold-lock.ts',
  text: '  if (holder === null) {',
  instead: '  if (holder?.session !== session) {',
  store: 'sqlite',
  load: lockLoad,
  faults: [fault('slow-link', 8_000, 500)],
  foundBy: 'X52',
}

const staleNumberTaken: PlantedBug = {
  name: 'the number of a lock is not compared with that of its holding',
  file: 'packages/domain/src/lock/lock.ts',
  text:
    '  if (holder.session !== claim.session) return lockedRefusal(lock, holder, now)\n' +
    '  return claim.fence === lock.fence ? holder : fencingRefusal(lock, claim.fence)',
  instead: '  return holder',
  store: 'sqlite',
  load: lockLoad,
  faults: [fault('slow-link', 20_000, 500)],
  foundBy: 'X51',
}

export const plantedLockBugs: readonly PlantedBug[] = [lockGivenAway, staleNumberTaken]

export const plantedBugs: readonly PlantedBug[] = [skippedTokenCheck, earlyAcknowledgement, noGraceAfterStart]
