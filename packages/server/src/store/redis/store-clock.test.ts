import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RedisClient, RedisConnection } from './redis-connection.ts'
import { StoreClock } from './store-clock.ts'

const start = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A Redis whose answers take so long to be read, one after the other. */
function redisReadAfter(...waits: number[]): RedisConnection {
  const time = async (): Promise<[string, string]> => {
    const now = start + performance.now()
    vi.advanceTimersByTime(waits.shift() ?? 0)
    return [String(Math.floor(now / 1_000)), String((now % 1_000) * 1_000)]
  }
  const call = (ask: (client: RedisClient) => Promise<unknown>): Promise<unknown> =>
    ask({ time } as unknown as RedisClient)
  return { call } as unknown as RedisConnection
}

it('[M112] an answer that a busy process read late does not set the time back by half of its wait', async () => {
  const clock = await StoreClock.start(redisReadAfter(800, 600, 10, 700))
  expect(Math.abs(clock.now() - (start + performance.now()))).toBeLessThan(10)
  clock.stop()
})
