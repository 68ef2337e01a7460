// UUIDv7: ids that sort by the instant they were made, and within one millisecond by the order they were made in.
// Lists and cursors rest on that order. Node's own makes no promise within a millisecond and reads the real clock.

import { randomUUID } from 'node:crypto'

let lastMs = -1
let counter = 0
let front = ''

export function newId(now: number): string {
  // A clock that stands still or goes back keeps the last instant, so the order of making is never reversed.
  if (now > lastMs) begin(now)
  else if (++counter > 0xfff) begin(lastMs + 1)
  const dice = randomUUID()
  return front + counter.toString(16).padStart(3, '0') + dice.slice(18)
}

/** What every id of this instant and later sorts after, and every earlier one before: an instant as a bound on ids. */
export function firstIdAt(instant: number): string {
  const hex = Math.max(0, instant).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`
}

/** The instant that an id begins with. */
export function instantOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

function begin(ms: number): void {
  const hex = ms.toString(16).padStart(12, '0')
  lastMs = ms
  counter = 0
  front = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
}
