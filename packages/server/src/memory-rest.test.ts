import { expect, it } from 'vitest'
import { MemoryRest, youngBytes } from './memory-rest.ts'

/** What survives its first collections makes the space of young objects grow. */
function burst(): number {
  let kept: object[] = []
  for (let n = 0; youngBytes() < 8 * 2 ** 20 && n < 10_000_000; n++) {
    kept.push({ n, more: [n, n] })
    if (kept.length > 50_000) kept = kept.slice(25_000)
  }
  return youngBytes()
}

it('[M221] a server that has come to rest gives back what a burst took, once after each', () => {
  const rest = new MemoryRest()
  const grown = burst()
  expect(grown).toBeGreaterThanOrEqual(8 * 2 ** 20)
  expect(rest.look(0.02)).toBe(true)
  expect(youngBytes()).toBeLessThan(grown / 2)

  burst()
  expect(rest.look(0.02)).toBe(false)
  expect(rest.look(0.5)).toBe(false)
  expect(rest.look(0.02)).toBe(true)
})

it('[M221] a server that has something to do is left alone', () => {
  const rest = new MemoryRest()
  const grown = burst()
  expect(rest.look(0.1)).toBe(false)
  expect(youngBytes()).toBe(grown)
})
