// UUIDv7: ids that sort by the instant they were made, and within one millisecond by the order they were made in.
// Lists and cursors rest on that order.

import { randomFillSync } from 'node:crypto'

const dice = new Uint8Array(4096)
let used = dice.length
let lastMs = 0
let counter = 0

export function newId(now: number): string {
  const bytes = new Uint8Array(16)
  takeDice(bytes)
  // A clock that stands still or goes back keeps the last instant, so the order of making is never reversed.
  if (now > lastMs) {
    lastMs = now
    counter = (((bytes[6] ?? 0) & 0x07) << 8) | (bytes[7] ?? 0)
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  for (let index = 5, rest = lastMs; index >= 0; index--, rest = Math.floor(rest / 256))
    bytes[index] = rest % 256
  bytes[6] = 0x70 | (counter >> 8)
  bytes[7] = counter & 0xff
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = Buffer.from(bytes.buffer).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

// Asking the system for sixteen bytes costs more than making the id; a block serves 256 of them.
function takeDice(into: Uint8Array): void {
  if (used + into.length > dice.length) {
    randomFillSync(dice)
    used = 0
  }
  into.set(dice.subarray(used, used + into.length))
  used += into.length
}
