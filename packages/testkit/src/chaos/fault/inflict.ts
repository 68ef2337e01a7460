// Does to the cluster what a fault says, and undoes it when its time is over. Each kind is one row of the table.

import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Station } from '../cluster/station.ts'
import { type LedgerLine, readLedger } from '../worker/ledger.ts'
import type { Fault, FaultKind } from './fault-plan.ts'
import type { Direction, FaultProxy } from './fault-proxy.ts'

export interface Incident {
  readonly kind: FaultKind
  /** The process or link it happened to. */
  readonly target: string
  readonly from: number
  /** When it was started again, went on or healed. */
  readonly until: number
  /** When it was back in its place: for a process that was killed, when it said that it was ready. */
  readonly backAt: number
}

interface Aim {
  readonly name: string
  /** Everything may stand still with it: such faults do not follow each other without a breath in between. */
  readonly isVital: boolean
  readonly inflict: (fault: Fault) => Promise<Omit<Incident, 'kind' | 'target'>>
}

const skewsMs: readonly number[] = [-600_000, -90_000, 90_000, 600_000]
const skewPreload = new URL('../cluster/skewed-clock.ts', import.meta.url).href
const slowMs: readonly number[] = [50, 150, 400]

const silences: readonly (readonly Direction[])[] = [['to-server'], ['to-client'], ['to-server', 'to-client']]

export function aimOf(cluster: Cluster, fault: Fault): Aim {
  const { servers, workers, redis } = cluster
  switch (fault.kind) {
    case 'kill-server':
      return aimAt(pick(servers, fault), true, killed)
    case 'stop-server':
      return aimAt(pick(servers, fault), true, stopped)
    case 'skew-clock':
      return aimAt(pick(servers, fault), true, skewed)
    case 'kill-worker':
      return aimAt(pick(workers, fault), false, killed)
    case 'stop-worker':
      return aimAt(pick(workers, fault), false, stopped)
    case 'kill-redis':
      return aimAt(redis ?? missing('Redis'), true, killed)
    case 'stop-redis':
      return aimAt(redis ?? missing('Redis'), true, stopped)
    case 'kill-runner':
      return { name: 'runner', isVital: false, inflict: () => killRunner(cluster) }
    case 'cut-socket':
      return aimAtLink(cluster, fault, (link) => link.cut())
    case 'half-open':
      return aimAtLink(cluster, fault, openHalf)
    case 'slow-link':
      return aimAtLink(cluster, fault, (link, { flavour }) => link.slow(pickOf(slowMs, flavour)))
  }
}

function aimAt(
  station: Station,
  isVital: boolean,
  inflict: (station: Station, fault: Fault) => ReturnType<Aim['inflict']>,
): Aim {
  return { name: station.name, isVital, inflict: (fault) => inflict(station, fault) }
}

async function killed(station: Station, { lastsMs }: Fault, how: Parameters<Station['start']>[0] = {}) {
  const from = Date.now()
  await station.kill()
  await pause(lastsMs)
  const until = Date.now()
  await station.start(how)
  return { from, until, backAt: Date.now() }
}

/** Its next life has a clock of its own; it keeps it until it is killed. */
function skewed(station: Station, fault: Fault) {
  const skewMs = pickOf(skewsMs, fault.flavour)
  return killed(station, fault, {
    args: ['--import', skewPreload],
    variables: { CHAOS_SKEW_MS: String(skewMs) },
  })
}

async function stopped(station: Station, { lastsMs }: Fault) {
  const from = Date.now()
  station.stop()
  await pause(lastsMs)
  const until = Date.now()
  station.goOn()
  return { from, until, backAt: until }
}

/** So long after the last server is back a pool has surely begun a job. */
const runnerWithinMs = 120_000
const lookEveryMs = 100

/** One that is in the middle of a job, by what the ledger says: an idle one would hardly be missed. */
async function killRunner({ ledgerFile }: Cluster): ReturnType<Aim['inflict']> {
  for (const before = Date.now() + runnerWithinMs; Date.now() < before; ) {
    const at = Date.now()
    if (busyRunners(ledgerFile).some(end)) return { from: at, until: at, backAt: at }
    await pause(lookEveryMs)
  }
  throw new Error(`no runner began a job within ${runnerWithinMs} ms`)
}

/** The newest first: the oldest may have been killed long ago, and another process may have its number by now. */
function busyRunners(ledgerFile: string): readonly number[] {
  const lines = readLedger<LedgerLine>(ledgerFile)
  const ended = new Set(lines.filter(({ step }) => step === 'end').map(({ run }) => run))
  const begun = lines.filter((line) => line.step === 'begin')
  const busy = begun.filter(({ worker, run, at }) => worker === 'pool' && !ended.has(run) && isRecent(at))
  return busy.map(({ pid }) => pid).toReversed()
}

/** No job of the storm takes longer. */
function isRecent(at: number): boolean {
  return Date.now() - at < 10_000
}

/** False when it was gone already. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function aimAtLink(
  { storeLinks, workerLinks, clientLinks }: Cluster,
  fault: Fault,
  inflict: (link: FaultProxy, fault: Fault) => void,
): Aim {
  const named = [
    ...storeLinks.map((link, at) => ({ link, name: `store-link-${at + 1}` })),
    ...workerLinks.map((link, at) => ({ link, name: `worker-link-${at + 1}` })),
    ...clientLinks.map((link, at) => ({ link, name: `client-link-${at + 1}` })),
  ]
  const { link, name } = pick(named, fault)
  return {
    name,
    isVital: !name.startsWith('worker'),
    inflict: async (given) => {
      const from = Date.now()
      inflict(link, given)
      await pause(given.lastsMs)
      link.heal()
      const until = Date.now()
      return { from, until, backAt: until }
    },
  }
}

function openHalf(link: FaultProxy, { flavour }: Fault): void {
  const ways = [
    ...silences.map((directions) => () => link.silence(directions)),
    () => link.abandon('server'),
    () => link.abandon('client'),
  ]
  pickOf(ways, flavour)()
}

function pick<Item>(items: readonly Item[], { target }: Fault): Item {
  return pickOf(items, target)
}

function pickOf<Item>(items: readonly Item[], at: number): Item {
  return items[at % items.length] ?? missing('a target')
}

function missing(what: string): never {
  throw new Error(`the cluster has no ${what}`)
}
