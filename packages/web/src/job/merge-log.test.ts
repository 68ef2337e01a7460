import type { LogLine } from '@millrace/protocol'
import { describe, expect, it } from 'vitest'
import { isWhole, mergeLog } from './merge-log.ts'

const lines = (...numbers: readonly number[]): readonly LogLine[] =>
  numbers.map((number) => ({ number, at: number, text: `line ${number}` }))
const range = (from: number, to: number): readonly LogLine[] =>
  lines(...Array.from({ length: to - from }, (_, n) => from + n))

describe('the lines of a log', () => {
  it.each([
    ['follow on', lines(0, 1), lines(2), lines(0, 1, 2)],
    ['were told before', lines(0, 1, 2), lines(1, 2), lines(0, 1, 2)],
    ['were told in part', lines(0, 1), lines(1, 2), lines(0, 1, 2)],
    ['come late', lines(0, 2), lines(1), lines(0, 1, 2)],
    ['are more than are kept', range(0, 5_000), lines(5_000), range(1, 5_001)],
  ])('[U142] that %s are merged by their numbers', (_, before, added, merged) => {
    expect(mergeLog(before, added)).toEqual(merged)
  })

  it.each([
    ['has none yet', lines(), 0, true],
    ['has every one', lines(0, 1, 2), 0, true],
    ['has every one that the server keeps', lines(7, 8), 7, true],
    ['has as many as a page keeps', range(900, 5_900), 0, true],
    ['lacks the first', lines(1), 0, false],
    ['lacks one in between', lines(0, 2), 0, false],
  ])('[U143] a log that %s', (_, kept, dropped, whole) => {
    expect(isWhole(kept, dropped)).toBe(whole)
  })
})
