import { describe, expect, it } from 'vitest'
import { followsAfter, type Scrolled } from './log-follow.ts'

describe('the end of a log', () => {
  it.each<[string, boolean, Scrolled, boolean]>([
    ['is left by going up', true, { fromPx: 500, toPx: 300, belowPx: 200 }, false],
    ['is kept by a jolt', true, { fromPx: 500, toPx: 490, belowPx: 10 }, true],
    [
      'is kept while lines come that are not measured yet',
      true,
      { fromPx: 500, toPx: 900, belowPx: 120 },
      true,
    ],
    ['is found by coming down to it', false, { fromPx: 300, toPx: 500, belowPx: 0 }, true],
    ['is not found half-way', false, { fromPx: 300, toPx: 400, belowPx: 100 }, false],
    ['is not found where fewer lines push there', false, { fromPx: 500, toPx: 100, belowPx: 0 }, false],
  ])('[U122] %s', (_title, follows, scrolled, after) => {
    expect(followsAfter(follows, scrolled)).toBe(after)
  })
})
