// The embedded store: SQLite in threads of its own, one that writes and one that reads. No server to install;
// survives kill -9 and power loss, because nothing is answered before it is synced.

import { randomUUID } from 'node:crypto'
import type {
  Announcement,
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
import { StoreFull, StoreUnavailable } from '../../ports/store-unavailable.ts'
import { checkChange, checkClaim, checkQuery } from '../change-shape.ts'
import {
  decodeClaimed,
  decodeCommitted,
  encodeWrite,
  type WriteRequest,
  type Written,
} from './flat-writes.ts'
import { LogTail } from './log-tail.ts'
import type { Packet } from './packet.ts'
import { type LogSource, SqliteFeed } from './sqlite-feed.ts'
import type { ThreadData } from './store-thread.ts'
import { type Encoding, ThreadClient } from './thread-client.ts'
import type { LogPage, ReadRequest, UnsettledRequest } from './thread-messages.ts'

export interface SqliteStoreOptions {
  readonly file: string
  /** How much of its disk is kept for what is in the store already; 0: new things are taken in until nothing is left. */
  readonly reserveBytes?: number
  /** The clock of a single process is the machine's; tests hand in a virtual one. */
  readonly now?: () => number
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const now = options.now ?? Date.now
  const behind = new Int32Array(new SharedArrayBuffer(4))
  const short = new Int32Array(new SharedArrayBuffer(4))
  const data = { file: options.file, at: now(), behind, short, reserveBytes: options.reserveBytes ?? 0 }
  const writer = await ThreadClient.start<WriterRequest>({ ...data, role: 'writer' }, now, forWriter)
  try {
    const reader = await ThreadClient.start<ReadRequest>({ ...data, role: 'reader' }, now, forReader)
    return new SqliteStore(writer, reader, { behind, short }, now)
  } catch (fault) {
    await writer.close()
    throw fault
  }
}

type WriterRequest = WriteRequest | UnsettledRequest

const forWriter: Encoding<WriterRequest> = {
  encode: (request) => (isWrite(request) ? encodeWrite(request) : request),
  decoderOf: (request) => {
    if (!isWrite(request)) return asItIs
    if (request.op === 'commit') return decodeCommitted as (answer: unknown) => unknown
    const { partition } = request.claim
    return (answer) => decodeClaimed(answer as Packet, partition)
  },
}

const forReader: Encoding<ReadRequest> = { encode: (request) => request, decoderOf: () => asItIs }

function asItIs(answer: unknown): unknown {
  return answer
}

function isWrite(request: WriterRequest): request is WriteRequest {
  return request.op === 'commit' || request.op === 'claim'
}

class SqliteStore implements Store {
  readonly #writer: ThreadClient<WriterRequest>
  readonly #reader: ThreadClient<ReadRequest>
  readonly #behind: Int32Array
  readonly #short: Int32Array
  readonly #now: () => number
  readonly #feeds = new Set<SqliteFeed>()
  readonly #log: LogSource
  readonly #tail = new LogTail()
  #fault: StoreUnavailable | null = null

  constructor(
    writer: ThreadClient<WriterRequest>,
    reader: ThreadClient<ReadRequest>,
    { behind, short }: Pick<ThreadData, 'behind' | 'short'>,
    now: () => number,
  ) {
    this.#writer = writer
    this.#reader = reader
    this.#behind = behind
    this.#short = short
    this.#now = now
    this.#log = {
      // A new epoch with each opening: a file restored from a backup is noticed without any bookkeeping.
      epoch: randomUUID(),
      end: () => this.#askSettled({ op: 'logEnd' }),
      tail: (after, limit) => this.#tail.after(after, limit),
      page: (after, limit) => this.#logPage(after, limit),
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
    return this.#ask({ op: 'read', partition, keys })
  }

  async list(query: ListQuery): Promise<readonly StoredRecord[]> {
    checkQuery(query)
    return this.#askSettled({ op: 'list', query }, 'or as they are')
  }

  queues(partition?: Partition): Promise<readonly QueueDepth[]> {
    return this.#ask({ op: 'queues', partition })
  }

  counters(partition: Partition): Promise<Readonly<Record<string, number>>> {
    return this.#ask({ op: 'counters', partition })
  }

  // These two end before the answer comes: whoever waits holds on to what it was called with, and a change is large.
  async commit(change: Change): Promise<Committed | Stale> {
    checkChange(change)
    if (change.takesIn && this.#isShort) throw new StoreFull('its disk has no room for anything new')
    const { partition, announce = [] } = change
    const asked = this.#writer.ask<Written<Committed | Stale>>({ op: 'commit', change }, change.put?.length)
    return this.#telling(asked, partition, () => announce)
  }

  async claim(claim: Claim): Promise<Claimed> {
    checkClaim(claim)
    const events = claim.attempts.map(({ event }) => event)
    const asked = this.#writer.ask<Written<Claimed>>({ op: 'claim', claim }, claim.attempts.length)
    return this.#telling(asked, claim.partition, ({ records }) =>
      records.map(({ key: subject }, at) => ({ subject, event: events[at] ?? '' })),
    )
  }

  due(now: number, limit: number): Promise<readonly DueRecord[]> {
    return this.#ask({ op: 'due', now, limit })
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
      durability:
        'Every answered change is synced to disk, as with synchronous=FULL (a journal, then the tables).',
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

  get #isBehind(): boolean {
    return Atomics.load(this.#behind, 0) !== 0
  }

  /** Of the tables where they have everything, and of the writer's memory where they have not. */
  #ask<Answer>(request: ReadRequest & UnsettledRequest): Promise<Answer> {
    return this.#isBehind ? this.#writer.ask(request) : this.#reader.ask(request)
  }

  get #isShort(): boolean {
    return Atomics.load(this.#short, 0) !== 0
  }

  /** Of the tables, once they have everything that was answered before; or, on a full disk, of what they have. */
  async #askSettled<Answer>(request: ReadRequest, otherwise?: 'or as they are'): Promise<Answer> {
    if (this.#isBehind) {
      await this.#writer.ask({ op: 'settle' }).catch((fault: unknown) => {
        if (otherwise === undefined || !this.#isShort) throw fault
      })
    }
    return this.#reader.ask(request)
  }

  async #logPage(after: number, limit: number): Promise<LogPage> {
    const request = { op: 'log', after, limit } as const
    const unsettled = this.#isBehind ? await this.#writer.ask<LogPage | null>(request) : null
    return unsettled ?? this.#reader.ask(request)
  }

  /** Whoever follows the log hears of it from here, in the order of the log: that of the answers. */
  async #telling<Answer>(
    asked: Promise<Written<Answer>>,
    partition: Partition,
    announcedBy: (answer: Answer) => readonly Announcement[],
  ): Promise<Answer> {
    const { answer, logged } = await asked
    if (logged === null) return answer
    if (this.#feeds.size === 0) this.#tail.clear()
    else this.#tail.append({ ...logged, partition, announced: announcedBy(answer) })
    for (const feed of this.#feeds) feed.wake()
    return answer
  }
}
