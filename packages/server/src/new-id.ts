// UUIDv7: ids that sort by the instant they were made, and within one millisecond by the order they were made in.
// Lists and cursors rest on that order. Node's own makes no promise within a millisecond and reads the real clock.
// Every job needs several, so they are written into one row of letters: put together of texts they cost three times as much.

import { randomFillSync } from 'node:crypto'

const letters: Buffer = Buffer.from('00000000-0000-7000-8000-000000000000')
const digits: Buffer = Buffer.from('0123456789abcdef')
/** Where the counter of a millisecond stands, and the dice: two bits beside the variant, then these. */
const counterAt = 15
const variantAt = 19
const diceAt = [21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35] as const

const diceBytes = 8
const dice: Buffer = Buffer.alloc(512 * diceBytes)
let thrown: number = dice.length

let lastMs = -1
let counter = 0

export function newId(now: number): string {
  // A clock that stands still or goes back keeps the last instant, so the order of making is never reversed.
  if (now > lastMs) begin(now)
  else if (++counter > 0xfff) begin(lastMs + 1)
  write(counterAt, counter >> 8)
  write(counterAt + 1, counter >> 4)
  write(counterAt + 2, counter)
  throwDice()
  return letters.toString('latin1')
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
  lastMs = ms
  counter = 0
  letters.write(firstIdAt(ms), 'latin1')
}

function throwDice(): void {
  if (thrown === dice.length) {
    randomFillSync(dice)
    thrown = 0
  }
  const first = dice[thrown] as number
  write(variantAt, 8 | (first & 3))
  write(variantAt + 1, first >> 4)
  for (let at = 0; at < diceAt.length; at += 2) {
    const two = dice[thrown + 1 + at / 2] as number
    write(diceAt[at] as number, two >> 4)
    write(diceAt[at + 1] as number, two)
  }
  thrown += diceBytes
}

function write(at: number, digit: number): void {
  letters[at] = digits[digit & 15] as number
}
