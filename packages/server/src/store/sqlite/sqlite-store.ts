// The embedded store: SQLite in two threads of its own, one that writes and one that reads. No server to install;
// survives kill -9 and power loss, because nothing is answered before it is synced.

import { randomUUID } from 'node:crypto'
import type {
  Change,
  Claim,
  Claimed,
  Committed,
  DueRecord,
  Feed,
  FeedPosition,
  ListQuery,
  Partition,
  QueueDepth,
  RecordKey,
  Stale,
  Store,
  StoreDescription,
  StoredRecord,
} from '../../ports/store.ts'
import { StoreUnavailable } from '../../ports/store-unavailable.ts'
import { checkChange, checkClaim, checkQuery } from '../change-shape.ts'
import { type Cell, decodeAnswers, encodeWrites, type WriteRequest } from './flat-writes.ts'
import { type LogSource, SqliteFeed } from './sqlite-feed.ts'
import { type Encoding, ThreadClient } from './thread-client.ts'
import type { ReadRequest } from './thread-messages.ts'

export interface SqliteStoreOptions {
  readonly file: string
  /** The clock of a single process is the machine's; tests hand in a virtual one. */
  readonly now?: () => number
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const now = options.now ?? Date.now
  const { file } = options
  const writer = await ThreadClient.start<WriteRequest>({ role: 'writer', file, at: now() }, now, flatWrites)
  try {
    const reader = await ThreadClient.start<ReadRequest>({ role: 'reader', file, at: now() }, now, asTheyAre)
    return new SqliteStore(writer, reader, now)
  } catch (fault) {
    await writer.close()
    throw fault
  }
}

const flatWrites: Encoding<WriteRequest> = {
  encode: encodeWrites,
  decode: (answers) => decodeAnswers(answers as Cell[]),
}

const asTheyAre: Encoding<ReadRequest> = {
  encode: (requests) => requests,
  decode: (answers) => answers as unknown[],
}

class SqliteStore implements Store {
  readonly #writer: ThreadClient<WriteRequest>
  readonly #reader: ThreadClient<ReadRequest>
  readonly #now: () => number
  readonly #feeds = new Set<SqliteFeed>()
  readonly #log: LogSource
  #fault: StoreUnavailable | null = null

  constructor(writer: ThreadClient<WriteRequest>, reader: ThreadClient<ReadRequest>, now: () => number) {
    this.#writer = writer
    this.#reader = reader
    this.#now = now
    this.#log = {
      // A new epoch with each opening: a file restored from a backup is noticed without any bookkeeping.
      epoch: randomUUID(),
      end: () => reader.ask({ op: 'logEnd' }),
      page: (after, limit) => reader.ask({ op: 'log', after, limit }),
    }
    for (const thread of [writer, reader]) {
      thread.onDeath((fault) => {
        this.#fault ??= fault
        for (const feed of this.#feeds) feed.fail(fault)
      })
    }
  }

  now(): number {
    return this.#now()
  }

  read(partition: Partition, keys: readonly RecordKey[]): Promise<readonly (StoredRecord | null)[]> {
    return this.#reader.ask({ op: 'read', partition, keys })
  }

  async list(query: ListQuery): Promise<readonly StoredRecord[]> {
    checkQuery(query)
    return this.#reader.ask({ op: 'list', query })
  }

  queues(partition?: Partition): Promise<readonly QueueDepth[]> {
    return this.#reader.ask({ op: 'queues', partition })
  }

  counters(partition: Partition): Promise<Readonly<Record<string, number>>> {
    return this.#reader.ask({ op: 'counters', partition })
  }

  async commit(change: Change): Promise<Committed | Stale> {
    checkChange(change)
    const answer = await this.#writer.ask<Committed | Stale>({ op: 'commit', change }, change.put?.length)
    if (answer.outcome === 'committed' && change.announce?.length) this.#wakeFeeds()
    return answer
  }

  async claim(claim: Claim): Promise<Claimed> {
    checkClaim(claim)
    const claimed = await this.#writer.ask<Claimed>({ op: 'claim', claim }, claim.attempts.length)
    if (claimed.records.length > 0) this.#wakeFeeds()
    return claimed
  }

  due(now: number, limit: number): Promise<readonly DueRecord[]> {
    return this.#reader.ask({ op: 'due', now, limit })
  }

  feed(from: FeedPosition | 'now'): Feed {
    const feed = new SqliteFeed(this.#log, from, (closed) => this.#feeds.delete(closed))
    this.#feeds.add(feed)
    if (this.#fault) feed.fail(this.#fault)
    return feed
  }

  async describe(): Promise<StoreDescription> {
    if (this.#fault) throw this.#fault
    return {
      kind: 'sqlite',
      durability: 'Every answered change is synced to disk (WAL, synchronous=FULL).',
      survivesProcessDeath: true,
      survivesPowerLoss: true,
    }
  }

  async close(): Promise<void> {
    this.#fault ??= new StoreUnavailable('the store is closed')
    await Promise.all([...this.#feeds].map((feed) => feed.close()))
    // The writer last: whoever lets go of the file last brings it up to date, and only the writer may.
    await this.#reader.close()
    await this.#writer.close()
  }

  #wakeFeeds(): void {
    for (const feed of this.#feeds) feed.wake()
  }
}
