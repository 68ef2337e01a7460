// One run: a cluster, load on it, faults on both; then everything is healed, everything ends, and every history is
// checked against the ledgers. What was found bad leaves its ledgers and logs behind.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { graceMs, leaseMs } from '@millrace/domain'
import { checkHistory, type Verdict } from './check/check-history.ts'
import { allEnded, allHeard, collectJobs } from './check/collect-evidence.ts'
import type { Evidence } from './check/evidence.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster/cluster.ts'
import type { Fault } from './fault/fault-plan.ts'
import type { Incident } from './fault/inflict.ts'
import { storm } from './fault/storm.ts'
import { type ClientLine, Load, type LoadShape } from './load/load.ts'
import { RoomReader } from './load/room-reader.ts'
import type { Dice } from './seeded-dice.ts'
import { type LedgerLine, readLedger } from './worker/ledger.ts'

export interface ChaosOptions extends ClusterOptions {
  readonly dice: Dice
  readonly load: LoadShape
  readonly faults: Iterable<Fault>
  readonly onIncident?: (incident: Incident) => void
}

export interface ChaosOutcome extends Verdict {
  readonly store: ClusterOptions['store']
  readonly faults: Readonly<Record<string, number>>
  readonly stallBoundMs: number
  readonly durationMs: number
  /** Everything that was written down; of use where something was found. */
  readonly folder: string
}

const rooms: readonly string[] = ['chaos-a', 'chaos-b', 'chaos-c']

/** After the last fault a lease may have to end, and what was on it to be executed once more. */
const drainMs = 120_000
const hearMs = 60_000

export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const begun = performance.now()
  mkdirSync(options.folder, { recursive: true })
  const cluster = await startCluster(options)
  try {
    const evidence = await gather(cluster, options)
    const verdict = checkHistory(evidence)
    const { incidents, sessions } = evidence
    keepJson(options.folder, { findings: verdict.findings, incidents, sessions })
    return {
      ...verdict,
      store: options.store,
      faults: countByKind(evidence.incidents),
      stallBoundMs: evidence.stallBoundMs,
      durationMs: Math.round(performance.now() - begun),
      folder: options.folder,
    }
  } finally {
    for (const station of cluster.stations)
      writeFileSync(join(options.folder, `${station.name}.log`), station.log())
    await cluster.close()
  }
}

async function gather(cluster: Cluster, options: ChaosOptions): Promise<Evidence> {
  const { clients, direct, ledgerFile, servers, stations } = cluster
  const [watcher] = direct
  if (!watcher) throw new Error('a cluster has a server')
  for (const name of rooms) await watcher.expect(201, 'POST', '/api/rooms', { name })
  const readers = rooms.flatMap((room) =>
    clients.map((client, at) => new RoomReader(`reader-${at + 1}`, room, client)),
  )
  const clientFile = join(options.folder, 'clients.jsonl')
  const load = new Load(clients, rooms, options.load, clientFile)
  load.start(options.dice.fork())
  const { onIncident } = options
  const incidents = await storm(cluster, options.faults, {
    acknowledged: () => load.acknowledged,
    ...(onIncident && { onIncident }),
  })
  await load.finish()
  await allEnded(watcher, rooms, drainMs)
  const jobs = await collectJobs(watcher, rooms)
  await allHeard(readers, jobs, hearMs)
  await Promise.all(readers.map((reader) => reader.close()))
  return {
    clients: readLedger<ClientLine>(clientFile),
    executions: readLedger<LedgerLine>(ledgerFile),
    jobs,
    sessions: readers.flatMap(({ sessions }) => sessions),
    views: readers.map(({ name, room, view }) => ({ reader: name, room, statuses: view })),
    incidents,
    servers: servers.map(({ name }) => name),
    crashes: stations.flatMap(({ name, crashes }) =>
      crashes.map((lastWords) => ({ station: name, lastWords })),
    ),
    stallBoundMs: stallBound(incidents, options.load),
  }
}

/** Lease, grace and the longest restart of this run, on this machine; and the longest job, which may be all there is. */
function stallBound(incidents: readonly Incident[], { works }: LoadShape): number {
  const restartMs = Math.max(0, ...incidents.map(({ from, backAt }) => backAt - from))
  return leaseMs + graceMs + restartMs + Math.max(...works.map(({ mostMs }) => mostMs))
}

function countByKind(incidents: readonly Incident[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { kind } of incidents) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function keepJson(folder: string, parts: Readonly<Record<string, unknown>>): void {
  for (const [name, part] of Object.entries(parts)) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(part, null, 2)}\n`)
  }
}
