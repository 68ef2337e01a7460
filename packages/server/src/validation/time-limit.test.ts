import { expect, it } from 'vitest'
import { withinLimit } from './time-limit.ts'

const sleeper = new Int32Array(new SharedArrayBuffer(4))

it('[V7] work that ends in time is done, and what it throws is thrown', () => {
  const done: number[] = []
  expect(withinLimit(1_000, () => done.push(1))).toBe(true)
  expect(done).toEqual([1])
  const thrown = new RangeError('too deep')
  expect(() =>
    withinLimit(1_000, () => {
      throw thrown
    }),
  ).toThrow(thrown)
})

it('[V7] work that never ends is stopped', () => {
  expect(
    withinLimit(20, () => {
      for (;;);
    }),
  ).toBe(false)
})

it('[V7] work that got no processor in its time is given more of it', () => {
  const tries: string[] = []
  const late = (isAgain: boolean): void => {
    tries.push(isAgain ? 'again' : 'first')
    if (!isAgain) Atomics.wait(sleeper, 0, 0)
  }
  expect(withinLimit(50, late)).toBe(true)
  expect(tries).toEqual(['first', 'again'])
})
