import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { openRedisStore, openSqliteStore, type Store } from '@millrace/server'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { collectFeed } from './feed-collector.ts'
import { HistoryPlayer, type Subject } from './history-player.ts'
import { historyArbitrary } from './history-step.ts'

// Lanes run side by side and so share the group commits of SQLite; each has its own seed and shrinks by itself.
const lanes = 20
const historiesPerLane = 50
const seed = Number(process.env.MILLRACE_SEED ?? randomInt(2 ** 31))

describe(`random histories on the model, SQLite and Redis (MILLRACE_SEED=${seed})`, () => {
  const subjects: Subject[] = []
  let redis: RedisProcess

  const add = async (name: string, store: Store): Promise<void> => {
    const collector = collectFeed(store)
    await collector.ready
    subjects.push({ name, store, collector })
  }

  beforeAll(async () => {
    redis = await RedisProcess.start()
    await add('SQLite', await openSqliteStore({ file: join(await makeTempDir('model'), 'store.sqlite') }))
    await add('Redis', await openRedisStore({ nodes: [redis] }))
  }, 30_000)

  afterAll(async () => {
    for (const { collector, store } of subjects) {
      await collector.close()
      await store.close()
    }
    await redis?.stop()
  })

  it('[S37] 1,000 histories of 50 steps are answered alike, end alike and bring the same events', {
    timeout: 300_000,
  }, async () => {
    let played = 0
    const lane = async (n: number): Promise<void> => {
      const plays = fc.asyncProperty(historyArbitrary, async (steps) => {
        await new HistoryPlayer(subjects, collectFeed).play(steps)
        played += 1
      })
      await fc.assert(plays, { seed: seed + n, numRuns: historiesPerLane })
    }
    await Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)))
    expect(played).toBe(lanes * historiesPerLane)
  })
})
