// One browser before one server for all cases of a suite, on the embedded store or on a Redis of its own.

import { afterAll, beforeAll, describe } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { patienceMs, WebScene } from './web-scene.ts'

export type Open = () => WebScene

export type WebStore = 'SQLite' | 'Redis'

export const slow: { readonly timeout: number } = { timeout: 3 * patienceMs }

export function describeWeb(title: string, store: WebStore, cases: readonly ((scene: Open) => void)[]): void {
  describe(`${title} on ${store}`, () => {
    let redis: RedisProcess | null = null
    let opened: WebScene | null = null
    const scene: Open = () => {
      if (!opened) throw new Error('the server did not start')
      return opened
    }
    beforeAll(async () => {
      redis = store === 'Redis' ? await RedisProcess.start() : null
      opened = await WebScene.open(redis ? `redis://${redis.host}:${redis.port}` : undefined)
    }, slow.timeout)
    afterAll(async () => {
      await opened?.close()
      await redis?.stop()
    }, patienceMs)
    for (const add of cases) add(scene)
  })
}
