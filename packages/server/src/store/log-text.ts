// How both stores keep the events of a change in their log: the keys they are about by tab, the events by line.

import type { FeedEvent } from '../ports/store.ts'

/** `sequence` is the number of the last of them. */
export function readLogText(subjects: string, events: string, sequence: number): FeedEvent[] {
  const keys = subjects.split('\t')
  const lines = events.split('\n')
  const first = sequence - lines.length + 1
  return lines.map((event, index) => ({ sequence: first + index, subject: keys[index] ?? '', event }))
}
