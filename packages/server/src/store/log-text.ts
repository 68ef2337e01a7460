// How both stores keep the events of a change in their log: the keys they are about by tab, the events by line. Neighbours
// mostly say the same, so an event that repeats the one before it is an empty line; no event is empty.

import type { FeedEvent } from '../ports/store.ts'

export function writeLogText(events: readonly string[]): string {
  let last = ''
  const lines = events.map((event) => {
    if (event === last) return ''
    last = event
    return event
  })
  return lines.join('\n')
}

/** `sequence` is the number of the last of them. */
export function readLogText(subjects: string, events: string, sequence: number): FeedEvent[] {
  const keys = subjects.split('\t')
  const lines = events.split('\n')
  const first = sequence - lines.length + 1
  let event = ''
  return lines.map((line, index) => {
    if (line !== '') event = line
    return { sequence: first + index, subject: keys[index] ?? '', event }
  })
}
