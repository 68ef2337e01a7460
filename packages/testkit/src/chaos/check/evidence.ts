// What is known about a run when it is over: what clients were told, what handlers did, what readers heard, what the
// server says about each job, and what was done to whom. The checks look at this and at nothing else.

import type { JobView } from '@millrace/protocol'
import type { Incident } from '../fault/inflict.ts'
import type { ClientLine } from '../load/load.ts'
import type { ReaderSession } from '../load/room-reader.ts'
import type { LedgerLine } from '../worker/ledger.ts'

export interface JobStory {
  readonly id: string
  readonly room: string
  readonly status: string
  readonly createdAt: number
  readonly endedAt?: number
  readonly result?: unknown
  readonly attempts: readonly Pick<
    JobView['attempts'][number],
    'worker' | 'assignedAt' | 'startedAt' | 'endedAt' | 'outcome'
  >[]
  readonly history: readonly { readonly status: string; readonly at: number; readonly reason: string }[]
  /** The lines that the server kept. */
  readonly log: readonly string[]
}

export interface ReaderView {
  readonly reader: string
  readonly room: string
  readonly statuses: ReadonlyMap<string, string>
}

export interface Evidence {
  readonly clients: readonly ClientLine[]
  readonly executions: readonly LedgerLine[]
  /** Every job that the server has, acknowledged or not. */
  readonly jobs: ReadonlyMap<string, JobStory>
  readonly sessions: readonly ReaderSession[]
  readonly views: readonly ReaderView[]
  readonly incidents: readonly Incident[]
  /** The names of all servers. */
  readonly servers: readonly string[]
  readonly crashes: readonly { readonly station: string; readonly lastWords: string }[]
  /** No standstill may be longer. */
  readonly stallBoundMs: number
}

export interface Finding {
  readonly rule: string
  readonly what: string
  readonly job?: string
}
