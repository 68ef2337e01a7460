// Asks the store what is due and hands each record to the one file that answers for its kind. Every handler decides on
// the record as it then is, so being told twice, or by two replicas, does no harm.

import type { DueRecord, Store } from '../ports/store.ts'
import { StoreUnavailable } from '../ports/store-unavailable.ts'

export type DueHandler = (due: readonly DueRecord[]) => Promise<void>

export interface DueLoopParts {
  readonly store: Store
  /** By the kind at the front of a record's key. */
  readonly handlers: Readonly<Record<string, DueHandler>>
  readonly onFault: (fault: unknown) => void
}

const atOnce = 500

/** One round: until nothing is due any more, or a round made no headway and the rest has to wait for the next. */
export async function runDue({ store, handlers, onFault }: DueLoopParts): Promise<void> {
  let before = ''
  for (;;) {
    const due = await store.due(store.now(), atOnce)
    if (due.length === 0) return
    for (const [kind, records] of byKind(due)) {
      // A kind that no handler knows was written by a newer Millrace; it stays due for one that does.
      await handlers[kind]?.(records).catch((fault: unknown) => {
        // A store that cannot be reached ends the round, and whoever runs it hears of the outage.
        if (fault instanceof StoreUnavailable) throw fault
        onFault(fault)
      })
    }
    const seen = due.map(({ partition, key, dueAt }) => `${partition} ${key} ${dueAt}`).join('\n')
    if (due.length < atOnce || seen === before) return
    before = seen
  }
}

function byKind(due: readonly DueRecord[]): ReadonlyMap<string, DueRecord[]> {
  const kinds = new Map<string, DueRecord[]>()
  for (const record of due) {
    const kind = record.key.slice(0, record.key.indexOf('/'))
    const records = kinds.get(kind)
    if (records) records.push(record)
    else kinds.set(kind, [record])
  }
  return kinds
}
