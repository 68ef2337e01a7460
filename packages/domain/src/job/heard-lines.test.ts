import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import { type HeardLines, hearLines } from './heard-lines.ts'

const token = 'one' as AttemptToken

describe('lines of an attempt', () => {
  it('[J70] a message that is sent again brings nothing, and one that overlaps only what is new', () => {
    const { fresh, heard } = hearLines(null, token, 0, 3)
    expect(fresh).toEqual([0, 1, 2])
    expect(hearLines(heard, token, 0, 3)).toEqual({ fresh: [], heard })
    expect(hearLines(heard, token, 1, 4)).toEqual({ fresh: [2, 3], heard: { token, ranges: [[0, 5]] } })
  })

  it('[J70] what another message overtook is still new', () => {
    const { heard } = hearLines(null, token, 3, 3)
    expect(hearLines(heard, token, 0, 7)).toEqual({
      fresh: [0, 1, 2, 6],
      heard: { token, ranges: [[0, 7]] },
    })
  })

  it('[J70] another attempt counts anew', () => {
    const { heard } = hearLines(null, token, 0, 3)
    const other = 'two' as AttemptToken
    expect(hearLines(heard, other, 0, 2)).toEqual({
      fresh: [0, 1],
      heard: { token: other, ranges: [[0, 2]] },
    })
  })

  it('[J70] whatever is sent however often, each line is taken once, and what is remembered stays small', () => {
    const message = fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 5 }))
    fc.assert(
      fc.property(fc.array(message, { maxLength: 200 }), (messages) => {
        let heard: HeardLines | null = null
        const [taken, sent] = [new Set<number>(), new Set<number>()]
        let largest = 0
        for (const [first, count] of messages) {
          const next = hearLines(heard, token, first, count)
          for (const at of next.fresh) {
            expect(taken.has(first + at)).toBe(false)
            taken.add(first + at)
          }
          for (let at = 0; at < count; at += 1) sent.add(first + at)
          heard = next.heard
          largest = Math.max(largest, heard.ranges.length)
        }
        expect(largest).toBeLessThanOrEqual(20)
        if (largest < 20) expect(taken).toEqual(sent)
      }),
      { seed: 70, numRuns: 300 },
    )
  })

  it('[J70] of more gaps than are remembered the oldest are given up', () => {
    let heard: HeardLines | null = null
    for (let first = 0; first < 100; first += 2) heard = hearLines(heard, token, first, 1).heard
    expect(heard?.ranges).toHaveLength(20)
    expect(hearLines(heard, token, 1, 1).fresh).toEqual([])
    expect(hearLines(heard, token, 97, 2).fresh).toEqual([0])
  })
})
