// The order in which due records are named: the earliest first, equals by their names.

import type { DueRecord } from '../../ports/store.ts'
import { compareNames } from '../merge-pages.ts'

export function compareDue(a: DueRecord, b: DueRecord): number {
  return a.dueAt - b.dueAt || compareNames(a.partition, b.partition) || compareNames(a.key, b.key)
}
