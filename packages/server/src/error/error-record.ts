// A group of errors as one replica counted it in one room. Each replica writes records of its own and nobody else's, so
// counting needs neither a read nor a version; readers add them up.

import type { Scope } from '@millrace/domain'
import type { Put, RecordKey, StoredRecord } from '../ports/store.ts'

export interface ErrorTally {
  readonly fingerprint: string
  readonly scope: Scope
  readonly category: string
  readonly extension: string
  readonly name: string | null
  readonly pattern: string
  readonly place: string | null
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** The last job that failed so, and what it said. */
  readonly job: string
  readonly message: string
}

/** Kept across rooms, for the page about all of them. */
export const errorList = 'errors'

/** As long as a dead letter by default: what nobody has met since is no trouble any more. */
const keptMs = 14 * 24 * 3_600_000

export function errorKey(fingerprint: string, id: string): RecordKey {
  return `error/${fingerprint}/${id}`
}

/** Exclusive bounds around the records of one fingerprint. */
export function errorBounds(fingerprint: string): { readonly after: RecordKey; readonly before: RecordKey } {
  return { after: errorKey(fingerprint, ''), before: `error/${fingerprint}0` }
}

/** When it is forgotten, unless it is met again. */
export function keptUntil({ lastAt }: ErrorTally): number {
  return lastAt + keptMs
}

export function putError(key: RecordKey, tally: ErrorTally): Put {
  return { key, head: JSON.stringify(tally), wideLists: [errorList], dueAt: keptUntil(tally) }
}

export function errorOfRecord({ head }: StoredRecord): ErrorTally {
  return JSON.parse(head) as ErrorTally
}
