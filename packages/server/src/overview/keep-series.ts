// Lets the week outlive the process: ten minutes are written when they are over, and read back at the next start.

import { newId } from '../new-id.ts'
import type { RecordKey, Store } from '../ports/store.ts'
import type { Series } from './series.ts'
import { putSeries, seriesList, seriesOfRecord } from './series-record.ts'
import type { Interval } from './track.ts'

const recordsAtOnce = 200
/** A week of several replicas; beyond it the oldest are left out. */
const recordsAtMost = 5_000

/** What is over and not yet written. It is lost where the store cannot be reached: figures are not worth a queue. */
export async function saveSeries(store: Store, series: Series): Promise<void> {
  const over = series.takeOver()
  if (over.length === 0) return
  await store.commit({
    id: newId(store.now()),
    partition: 'system',
    put: over.map((interval) => putSeries(interval, series.replica)),
  })
}

export async function recallSeries(store: Store, series: Series): Promise<void> {
  const found: Interval[] = []
  for (let before: RecordKey | undefined; found.length < recordsAtMost; ) {
    const records = await store.list({
      partition: 'system',
      lists: [seriesList],
      order: 'newest',
      limit: recordsAtOnce,
      ...(before !== undefined && { before }),
    })
    found.push(...records.map(seriesOfRecord))
    if (records.length < recordsAtOnce) break
    before = records.at(-1)?.key
  }
  for (const interval of found.toReversed()) series.recall(interval)
}
