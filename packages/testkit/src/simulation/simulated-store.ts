// The one store of a history: the model that SQLite and Redis are compared with, every change of it told to the ledger,
// and due records named to one replica at a time, as Redis does it.

import type {
  Change,
  Claim,
  Claimed,
  Committed,
  DueRecord,
  Feed,
  FeedPosition,
  Stale,
} from '@millrace/server'
import { StoreModel } from '../store-model/store-model.ts'
import type { Ledger, Writer } from './ledger.ts'
import { Life } from './virtual-clock.ts'

const dueLeaseMs = 5_000

export class SimulatedStore {
  readonly model: StoreModel
  readonly life: Life = new Life('store')
  readonly #now: () => number
  readonly #ledger: Ledger
  /** By partition, which stands for its shard. */
  readonly #dueLeases = new Map<string, { readonly holder: string; readonly until: number }>()

  constructor(now: () => number, ledger: Ledger) {
    this.#now = now
    this.#ledger = ledger
    this.model = new StoreModel({ now })
  }

  async commit(by: Writer, change: Change): Promise<Committed | Stale> {
    const answer = await this.model.commit(change)
    if (answer.outcome === 'committed') this.#ledger.committed(by, change, answer)
    return answer
  }

  async claim(by: Writer, claim: Claim): Promise<Claimed> {
    const answer = await this.model.claim(claim)
    this.#ledger.claimed(by, claim, answer.records)
    return answer
  }

  async due(holder: string, now: number, limit: number): Promise<readonly DueRecord[]> {
    const due = await this.model.due(now, limit)
    return due.filter(({ partition }) => this.#mayName(partition, holder))
  }

  feed(from: FeedPosition | 'now'): Feed {
    return this.model.feed(from)
  }

  #mayName(partition: string, holder: string): boolean {
    const lease = this.#dueLeases.get(partition)
    if (lease && lease.holder !== holder && lease.until > this.#now()) return false
    this.#dueLeases.set(partition, { holder, until: this.#now() + dueLeaseMs })
    return true
  }
}
