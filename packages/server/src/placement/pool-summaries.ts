// Replicas tell each other what their pools are, so that whoever is asked why a job waits answers for all of them. Each
// writes its own summary, when it changed and at most once a second, and again before it would run out; that of a replica
// that died runs out by itself.

import type { WorkerId, WorkerSupply } from '@millrace/domain'
import type { CountedFigures, RunTimes } from '../job/run-times.ts'
import { newId } from '../new-id.ts'
import type { DueRecord, RecordKey, Store } from '../ports/store.ts'
import { StoreUnavailable } from '../ports/store-unavailable.ts'
import type { Roster } from '../worker/roster.ts'
import { type PoolSummary, readSummary, type SeenSupply, summaryText } from './pool-summary.ts'
import type { MeasuredRuns, ShortExtensions } from './short-extensions.ts'

export interface PoolSummaryParts {
  readonly store: Store
  readonly roster: Roster
  readonly shorts: ShortExtensions
  readonly times: RunTimes
  readonly onFault: (fault: unknown) => void
}

/** What the other replicas say, and each worker of theirs once. */
export interface OtherReplicas {
  readonly supplies: ReadonlyMap<WorkerId, SeenSupply>
  timesOf(name: string): readonly CountedFigures[]
  runsOf(extension: string): readonly MeasuredRuns[]
}

const publishEveryMs = 1_000
/** How long a replica that died is believed in. As long as a lease: by then its workers are lost or elsewhere. */
const livesMs = 15_000
const renewEveryMs = livesMs / 3
/** Of those whose jobs ended last. */
const extensionsTold = 100
const summariesAtMost = 200

const list = 'pools'
const prefix = 'pools/'
const partition = 'system'

export class PoolSummaries {
  readonly #parts: PoolSummaryParts
  readonly #key: RecordKey
  #timer: ReturnType<typeof setTimeout> | null = null
  #publishing: Promise<void> = Promise.resolve()
  #isShared = false
  #written = { text: '', at: Number.NEGATIVE_INFINITY }

  constructor(parts: PoolSummaryParts) {
    this.#parts = parts
    this.#key = `${prefix}${newId(parts.store.now())}`
  }

  /** Only where others share the store is there anybody to tell. */
  start(): void {
    this.#isShared = true
    this.#publishNow()
  }

  /** Its workers go elsewhere, so it takes back what it said of them. */
  async stop(): Promise<void> {
    if (!this.#isShared) return
    this.#isShared = false
    if (this.#timer) clearTimeout(this.#timer)
    await this.#publishing
    await this.#commit({ remove: [this.#key] })
  }

  async others(): Promise<OtherReplicas> {
    return this.#isShared ? gather(await this.#read()) : nobody
  }

  #publishNow(): void {
    this.#publishing = this.#publish().then(() => {
      if (this.#isShared) this.#timer = setTimeout(() => this.#publishNow(), publishEveryMs)
    })
  }

  async #publish(): Promise<void> {
    const { store, roster, shorts, times } = this.#parts
    const now = store.now()
    const supplies = shorts.supplies(roster, now).map((supply) => seen(roster, supply))
    const isOld = now - this.#written.at >= renewEveryMs
    const before = this.#written.text
    const text = summaryText({
      supplies,
      times: times.latest(extensionsTold),
      runs: shorts.latest(extensionsTold),
    })
    if (text === before && !isOld) return
    const head = JSON.stringify({ at: now })
    const put = [{ key: this.#key, head, body: text, lists: [list], dueAt: now + livesMs }]
    if (await this.#commit({ put })) this.#written = { text, at: now }
  }

  /** A store that cannot be reached is told of by others; the next second tries again. */
  async #commit(change: Omit<Parameters<Store['commit']>[0], 'id' | 'partition'>): Promise<boolean> {
    const { store, onFault } = this.#parts
    try {
      await store.commit({ id: newId(store.now()), partition, ...change })
      return true
    } catch (fault) {
      if (!(fault instanceof StoreUnavailable)) onFault(fault)
      return false
    }
  }

  async #read(): Promise<readonly PoolSummary[]> {
    const { store } = this.#parts
    const records = await store.list({ partition, lists: [list], order: 'oldest', limit: summariesAtMost })
    return records.flatMap(({ key, head, body }) => {
      const { at } = JSON.parse(head) as { readonly at: number }
      const isOther = key !== this.#key && at + livesMs > store.now()
      return isOther ? [readSummary(at, body)] : []
    })
  }
}

/** Whoever died without taking its summary back. */
export async function expireSummaries(store: Store, due: readonly DueRecord[]): Promise<void> {
  const keys = due.map(({ key }) => key)
  const records = await store.read(partition, keys)
  for (const record of records) {
    if (!record || (JSON.parse(record.head) as { readonly at: number }).at + livesMs > store.now()) continue
    const { key, version } = record
    await store.commit({ id: newId(store.now()), partition, expect: { [key]: version }, remove: [key] })
  }
}

/** All workers there are: this replica's as it knows them now, the others' as they were told of. */
export function allSupplies(
  here: readonly WorkerSupply[],
  { supplies }: OtherReplicas,
): readonly WorkerSupply[] {
  const own = new Set(here.map(({ id }) => id))
  return [...here, ...[...supplies.values()].filter(({ id }) => !own.has(id))]
}

function seen(roster: Roster, supply: WorkerSupply): SeenSupply {
  return { ...supply, running: roster.get(supply.id)?.running.size ?? 0 }
}

/** A worker that moved may still stand in the summary of a replica that died: the later word counts. */
function gather(summaries: readonly PoolSummary[]): OtherReplicas {
  const supplies = new Map<WorkerId, SeenSupply>()
  for (const summary of summaries.toSorted((a, b) => a.at - b.at)) {
    for (const supply of summary.supplies) supplies.set(supply.id, supply)
  }
  const named = <Value>(of: (summary: PoolSummary) => readonly (readonly [string, Value])[], name: string) =>
    summaries.flatMap((summary) => of(summary).flatMap(([its, value]) => (its === name ? [value] : [])))
  return {
    supplies,
    timesOf: (name) => named(({ times }) => times, name),
    runsOf: (extension) => named(({ runs }) => runs, extension),
  }
}

const nobody: OtherReplicas = { supplies: new Map(), timesOf: () => [], runsOf: () => [] }
