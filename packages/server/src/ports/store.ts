// The store port. The store compares versions and applies; it decides nothing about jobs. Texts (head, attempt, body,
// event) are opaque to it. Everything in one change belongs to one partition and happens at once or not at all.
// What each member promises stands beside it and is held by the contract suite in testkit.

/** A room, or `system` for what belongs to no room. The unit of atomicity and of sharding. */
export type Partition = string

/** `kind/id`. Lists and pages are in the order of keys, so ids that sort by time (UUIDv7) list by time. */
export type RecordKey = string

export interface StoredRecord {
  readonly partition: Partition
  readonly key: RecordKey
  /** The revision of the partition at which this record was last written. Never reused, not even after a removal. */
  readonly version: number
  /** The part that transitions replace. */
  readonly head: string
  /** What a claim attached; null until then, and again when a put does not repeat it. */
  readonly attempt: string | null
  /** The part that is written once and may be large. */
  readonly body: string
}

export interface Put {
  readonly key: RecordKey
  /** The version the record must still have, like an entry of the change's own `expect`; 0: it must not exist. */
  readonly expect?: number
  readonly head: string
  readonly attempt?: string
  /** Absent: stays as it is (empty for a new record), so that a transition does not rewrite a large body. */
  readonly body?: string
  /** The lists of its partition this record stands in from now on; it leaves all others. At most four, wide ones included. */
  readonly lists?: readonly string[]
  /** Lists that are kept across partitions as well, for pages outside rooms. */
  readonly wideLists?: readonly string[]
  /** The queue it waits in from now on. Scores are integers; the lowest is claimed first, equals by key. */
  readonly queue?: { readonly name: string; readonly score: number }
  /** The instant at which `due` begins to name it. */
  readonly dueAt?: number
}

export interface Announcement {
  /** The key of the record the event is about. */
  readonly subject: RecordKey
  /** One line, and not empty. */
  readonly event: string
}

export interface Change {
  /** Fresh for each change (UUIDv7). A change sent again under its id is answered again and applied once. */
  readonly id: string
  readonly partition: Partition
  /** Versions of further records that must still hold; 0 means the record must not exist. */
  readonly expect?: Readonly<Record<RecordKey, number>>
  readonly put?: readonly Put[]
  readonly remove?: readonly RecordKey[]
  /** Counters that commute; one that reaches 0 is gone. */
  readonly add?: Readonly<Record<string, number>>
  readonly announce?: readonly Announcement[]
  /**
   * It brings something new. A store that is short of room refuses it with StoreFull and keeps what is left for all
   * other changes, so that what was taken in before can be finished.
   */
  readonly takesIn?: boolean
}

export interface Committed {
  readonly outcome: 'committed'
  /** The partition's revision, one higher with every change; the version of every record this change put. */
  readonly revision: number
  /** Sequence numbers its events received: after `sequence - announced` up to and including `sequence`. */
  readonly sequence: number
}

export interface Stale {
  readonly outcome: 'stale'
  /** The first expectation that did not hold (the change's, then its puts', in the order given) and the version found. */
  readonly key: RecordKey
  readonly version: number
}

export interface PreparedAttempt {
  readonly attempt: string
  readonly dueAt: number
  readonly event: string
}

export interface Claim {
  readonly id: string
  readonly partition: Partition
  readonly queue: string
  /** One for each record wanted; fewer are used when the queue or a limit ends earlier. */
  readonly attempts: readonly PreparedAttempt[]
  /** A claimed record that stands in this wide list stands in that one instead; another stays where it stands. */
  readonly move: { readonly from: string; readonly to: string }
  /** Checked in the same step, so that several replicas cannot overshoot: claims at most `max - counter`. */
  readonly limits?: readonly { readonly counter: string; readonly max: number }[]
  /** Added once for each record claimed. */
  readonly add?: Readonly<Record<string, number>>
}

export interface Claimed {
  /**
   * attempts[i] is now attached to records[i]. Empty when there was nothing to claim: then nothing changed.
   * A claim sent again leaves out those that have another attempt by now, or none.
   */
  readonly records: readonly StoredRecord[]
}

export interface ListQuery {
  /** Null: across partitions, which only wide lists answer. */
  readonly partition: Partition | null
  /** Several lists are merged into one order without duplicates. */
  readonly lists: readonly string[]
  readonly order: 'oldest' | 'newest'
  /** Bounds on the key, both exclusive; a cursor is the last key of the page before. */
  readonly after?: RecordKey
  readonly before?: RecordKey
  readonly limit: number
  /** The page is only shown, so a copy that lags behind commits may answer it. Without it the page sees them all. */
  readonly mayLag?: true
}

export interface QueueDepth {
  readonly partition: Partition
  readonly queue: string
  readonly pending: number
  /** The score at the head: what would be claimed next. */
  readonly headScore: number
}

export interface DueRecord {
  readonly partition: Partition
  readonly key: RecordKey
  readonly dueAt: number
}

/** Where a reader of the feed stands; opaque, comparable only by the store that gave it. */
export type FeedPosition = string

export interface FeedEvent {
  readonly sequence: number
  readonly subject: RecordKey
  readonly event: string
}

export type FeedItem =
  | {
      readonly kind: 'events'
      readonly position: FeedPosition
      readonly partition: Partition
      readonly revision: number
      /** The store's own time of the change. */
      readonly at: number
      readonly events: readonly FeedEvent[]
    }
  /** The position is not on this log any more (trimmed, or the store was restored): refetch, then read on. */
  | { readonly kind: 'reset'; readonly position: FeedPosition }

export interface Feed extends AsyncIterable<FeedItem> {
  /** Resolves when the reader is in place: everything committed after this instant will be seen. */
  readonly ready: Promise<FeedPosition>
  close(): Promise<void>
}

export interface StoreDescription {
  readonly kind: 'sqlite' | 'redis'
  /** What an answered commit survives, in words an operator can act on. */
  readonly durability: string
  /** Of the store's own process; that of a replica is always survived. */
  readonly survivesProcessDeath: boolean
  readonly survivesPowerLoss: boolean
  /** Where copies were named that pages which may lag are read from. */
  readonly readReplicas?: ReadReplicasView
}

export interface ReadReplicasView {
  readonly named: number
  /** Those that answer and are not behind. */
  readonly inUse: number
}

export interface Store {
  /** The store's own time in ms: replicas with skewed clocks agree on it. */
  now(): number

  /** The records under these keys, in their order; null where there is none. Sees every answered commit. */
  read(partition: Partition, keys: readonly RecordKey[]): Promise<readonly (StoredRecord | null)[]>

  /** A page of a list. One that may lag is for screens; nothing that decides may ask for it so. */
  list(query: ListQuery): Promise<readonly StoredRecord[]>

  /** Every queue that is not empty, of one partition or of all, in the order of partition and name. */
  queues(partition?: Partition): Promise<readonly QueueDepth[]>

  /** The counters of a partition that are not 0. */
  counters(partition: Partition): Promise<Readonly<Record<string, number>>>

  /**
   * Applies the change if every expectation holds, together with its events. Answered only when it is as durable
   * as the store promises. Throws StoreUnavailable when the truth could not be learned in time; the same change
   * sent again then settles it.
   */
  commit(change: Change): Promise<Committed | Stale>

  /**
   * Takes records from the head of a queue and attaches the prepared attempts to them, within the limits, in one
   * step. It computes nothing: what it writes was handed in. The same claim sent again names the same records.
   */
  claim(claim: Claim): Promise<Claimed>

  /**
   * Records whose dueAt has come, earliest first. A record stays due until a change moves its dueAt. Where several
   * replicas share a store, each shard's due records are named to one of them at a time.
   */
  due(now: number, limit: number): Promise<readonly DueRecord[]>

  /** The events of all partitions from a position on, or from now on; each partition's in order, without gaps. */
  feed(from: FeedPosition | 'now'): Feed

  describe(): Promise<StoreDescription>

  /** Waits for what is under way, then lets go of threads and connections. Later calls but now() throw StoreUnavailable. */
  close(): Promise<void>
}
