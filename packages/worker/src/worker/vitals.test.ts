import { afterEach, expect, it, vi } from 'vitest'
import { vitals } from './vitals.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('[K16] a beat says how the machine is doing, looked at once a second at most', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const one = vitals()
  expect(one.memoryUsed).toBeGreaterThanOrEqual(0)
  expect(one.memoryUsed).toBeLessThanOrEqual(1)
  expect(one.load).toBeGreaterThanOrEqual(0)
  expect(one.cores).toBeGreaterThanOrEqual(1)
  vi.advanceTimersByTime(999)
  expect(vitals()).toBe(one)
  vi.advanceTimersByTime(1)
  expect(vitals()).not.toBe(one)
})
