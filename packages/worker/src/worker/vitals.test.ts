import { expect, it } from 'vitest'
import { vitals } from './vitals.ts'

it('[K16] a beat says how the machine is doing, looked at once a second at most', () => {
  const one = vitals()
  expect(one.memoryUsed).toBeGreaterThanOrEqual(0)
  expect(one.memoryUsed).toBeLessThanOrEqual(1)
  expect(one.load).toBeGreaterThanOrEqual(0)
  expect(one.cores).toBeGreaterThanOrEqual(1)
  expect(vitals()).toBe(one)
})
