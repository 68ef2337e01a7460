// What passes between the store and its two threads. Requests that arrive together travel together, and are answered
// together: one message each way for a whole group.

import type { ListQuery, Partition, RecordKey } from '../../ports/store.ts'

export type ReadRequest =
  | { readonly op: 'read'; readonly partition: Partition; readonly keys: readonly RecordKey[] }
  | { readonly op: 'list'; readonly query: ListQuery }
  | { readonly op: 'queues'; readonly partition: Partition | undefined }
  | { readonly op: 'counters'; readonly partition: Partition }
  | { readonly op: 'due'; readonly now: number; readonly limit: number }
  | { readonly op: 'logEnd' }
  | { readonly op: 'log'; readonly after: number; readonly limit: number }

/** What the writer answers from its memory while the tables are behind; `settle` brings them up to date. */
export type UnsettledRequest =
  | Extract<ReadRequest, { readonly op: 'read' | 'queues' | 'counters' | 'due' | 'log' }>
  | { readonly op: 'settle' }

export interface RequestGroup {
  readonly at: number
  readonly first: number
  /** In the encoding that both ends of the thread agree on. */
  readonly requests: readonly unknown[]
}

/** Answers in the order of the requests, null where one comes later. Writes of one group fail together, as they go to disk. */
export interface AnswerGroup {
  readonly first: number
  readonly answers: readonly (Answer | null)[]
}

export type Answer = { readonly value: unknown } | { readonly fault: Fault }

/** What is left of an error on the way out of a thread. */
export interface Fault {
  readonly name: string
  readonly message: string
}

export interface LogRow {
  readonly position: number
  readonly partition: Partition
  readonly revision: number
  readonly sequence: number
  readonly at: number
  readonly subjects: string
  readonly events: string
}

export interface LogEnd {
  /** Rows up to and including this position may have been trimmed. */
  readonly trimmedTo: number
  readonly last: number
}

export interface LogPage extends LogEnd {
  readonly rows: readonly LogRow[]
}
