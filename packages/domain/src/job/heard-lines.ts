// Which lines of an attempt were heard. A worker that numbers its lines may send a message again whose answer was lost,
// whole or together with later lines: each line is taken once. Another attempt counts from 0 again.

import type { AttemptToken } from '../ids.ts'

/** From the first number up to, and without, the second. */
export type LineRange = readonly [number, number]

export interface HeardLines {
  readonly token: AttemptToken
  /** Rising, and apart from each other. */
  readonly ranges: readonly LineRange[]
}

export interface TakenLines {
  /** Where, among those that came, the new ones stand. */
  readonly fresh: readonly number[]
  readonly heard: HeardLines
}

/**
 * A gap is left by lines that the worker let go, and for a moment by a message that another overtook. Beyond this many
 * the oldest gap counts as heard: nobody sends lines again that are that old.
 */
const maxRanges = 20

/** `first` is the number of the first of them, counted by the worker from 0 within the attempt. */
export function hearLines(
  before: HeardLines | null,
  token: AttemptToken,
  first: number,
  count: number,
): TakenLines {
  const ranges = before?.token === token ? before.ranges : []
  const fresh: number[] = []
  for (let at = 0; at < count; at += 1) if (!isHeard(ranges, first + at)) fresh.push(at)
  return { fresh, heard: { token, ranges: bounded(joined([...ranges, [first, first + count]])) } }
}

function isHeard(ranges: readonly LineRange[], number: number): boolean {
  return ranges.some(([from, to]) => from <= number && number < to)
}

function joined(ranges: readonly LineRange[]): readonly LineRange[] {
  const apart: LineRange[] = []
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = apart.at(-1)
    if (last && from <= last[1]) apart[apart.length - 1] = [last[0], Math.max(last[1], to)]
    else apart.push([from, to])
  }
  return apart
}

function bounded(ranges: readonly LineRange[]): readonly LineRange[] {
  const tooMany = ranges.length - maxRanges
  const [oldest, newest] = [ranges[0], ranges[tooMany]]
  if (tooMany <= 0 || !oldest || !newest) return ranges
  return [[oldest[0], newest[1]], ...ranges.slice(tooMany + 1)]
}
