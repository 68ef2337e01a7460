import { expect, it } from 'vitest'
import { newId } from './new-id.ts'

it('[S1] ids sort in the order they were made, even while the clock stands still or goes back', () => {
  const start = 2_000_000_000_000
  const ids = Array.from({ length: 10_000 }, (_, index) => newId(start - (index % 7)))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(
    ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true)
})

it('[S1] every digit of an id that is left to chance takes every value', () => {
  const ids = Array.from({ length: 4_000 }, () => newId(2_000_000_000_000))
  const seen = Array.from({ length: 36 }, (_, at) => new Set(ids.map((id) => id[at])).size)
  expect(seen.slice(19)).toEqual([4, 16, 16, 16, 1, ...Array.from({ length: 12 }, () => 16)])
})
