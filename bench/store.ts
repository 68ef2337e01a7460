// Whole lifecycles (submit, claim, complete, each with its events) on both stores beside BullMQ on the same Redis, and
// the claim rate with a million jobs pending against a thousand. Batches of 100 throughout.

import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { openRedisStore, openSqliteStore, type Store } from '@millrace/server'
import { makeTempDir, RedisProcess } from '@millrace/testkit'
import { Redis } from 'ioredis'
import type { Bench, Figures } from './bench.ts'
import { median, perSecond } from './figures.ts'
import { claimBatch, completeBatch, submitBatch } from './lifecycle.ts'
import { BullmqPeer } from './peers/bullmq.ts'

const batch = 100
const loops = 16
const lifecycles = 48_000
const manyPending = 1_000_000
const fewPending = 1_000
const rounds = 5
/** Adding while the worker processes is what suits it best. */
const bullmqInFlight = 4

export const bench: Bench = {
  name: 'store',
  async run(report): Promise<Figures> {
    const redis = await RedisProcess.start()
    const directory = await makeTempDir('bench-store')
    const sqlite = await openSqliteStore({ file: `${directory}/store.db` })
    const shared = await openRedisStore({ nodes: [redis] })
    try {
      report('persistence: SQLite WAL synchronous=FULL; Redis without persistence, the same one for BullMQ')
      const speeds = await compareSpeeds(report, sqlite, shared, redis)
      const onSqlite = await claimRates(report, 'sqlite', sqlite, () => fileBytes(`${directory}/store.db`))
      const onRedis = await claimRates(report, 'redis', shared, () => usedMemory(redis))
      return {
        ...speeds,
        sqlite_claim_1m_vs_1k: onSqlite.ratio,
        redis_claim_1m_vs_1k: onRedis.ratio,
        sqlite_bytes_per_job: onSqlite.bytesPerJob,
        redis_bytes_per_job: onRedis.bytesPerJob,
      }
    } finally {
      await sqlite.close()
      await shared.close()
      await redis.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
}

/** Rounds alternate, so that a slow spell of the machine meets all three alike. */
async function compareSpeeds(
  report: (line: string) => void,
  sqlite: Store,
  shared: Store,
  redis: RedisProcess,
): Promise<Figures> {
  const speeds = { sqlite: [] as number[], redis: [] as number[], bullmq: [] as number[] }
  await runLifecycles(sqlite, 'warm', 16_000)
  await runLifecycles(shared, 'warm', 16_000)
  const peer = await BullmqPeer.start(redis, batch)
  await peer.lifecycles(2_000, batch, bullmqInFlight)
  for (let round = 1; round <= rounds; round++) {
    speeds.sqlite.push(await runLifecycles(sqlite, `round-${round}`, lifecycles))
    speeds.redis.push(await runLifecycles(shared, `round-${round}`, lifecycles))
    speeds.bullmq.push((await peer.lifecycles(lifecycles / 3, batch, bullmqInFlight)).perSecond)
    const line = Object.entries(speeds).map(([name, all]) => `${name} ${Math.round(all.at(-1) ?? 0)}`)
    report(`round ${round}, lifecycles per second: ${line.join(', ')}`)
  }
  await peer.stop()
  const [onSqlite, onRedis, onBullmq] = [median(speeds.sqlite), median(speeds.redis), median(speeds.bullmq)]
  return {
    sqlite_lifecycles_per_s: onSqlite,
    redis_lifecycles_per_s: onRedis,
    bullmq_lifecycles_per_s: onBullmq,
    sqlite_vs_bullmq: onSqlite / onBullmq,
    redis_vs_bullmq: onRedis / onBullmq,
  }
}

async function runLifecycles(store: Store, name: string, count: number): Promise<number> {
  const loop = async (room: string): Promise<void> => {
    for (let done = 0; done < count / loops; done += batch) {
      await submitBatch(store, room, batch)
      const jobs = await claimBatch(store, room, batch)
      if (jobs.length !== batch) throw new Error(`claimed ${jobs.length} of ${batch}`)
      await completeBatch(store, room, jobs)
    }
  }
  return await perSecond(count, async () => {
    await Promise.all(Array.from({ length: loops }, (_, index) => loop(`${name}-${index}`)))
  })
}

interface ClaimRates {
  readonly ratio: number
  readonly bytesPerJob: number
}

async function claimRates(
  report: (line: string) => void,
  name: string,
  store: Store,
  bytes: () => Promise<number>,
): Promise<ClaimRates> {
  const before = await bytes()
  const fill = await perSecond(manyPending, () => submitMany(store, 'many', manyPending))
  const bytesPerJob = ((await bytes()) - before) / manyPending
  report(
    `${name}: ${manyPending} jobs submitted at ${Math.round(fill)} per second, ${Math.round(bytesPerJob)} bytes each`,
  )
  const many: number[] = []
  const few: number[] = []
  for (let round = 0; round < 30; round++) {
    many.push(await claimRate(store, 'many'))
    await submitMany(store, 'few', fewPending)
    few.push(await claimRate(store, 'few'))
  }
  const [rateOfMany, rateOfFew] = [median(many), median(few)]
  report(
    `${name}: claims per second ${Math.round(rateOfMany)} of a million, ${Math.round(rateOfFew)} of a thousand`,
  )
  return { ratio: rateOfMany / rateOfFew, bytesPerJob }
}

function claimRate(store: Store, room: string): Promise<number> {
  return perSecond(fewPending, async () => {
    for (let claimed = 0; claimed < fewPending; claimed += batch) await claimBatch(store, room, batch)
  })
}

async function submitMany(store: Store, room: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1_000)
    await submitBatch(store, room, Math.min(1_000, count - done))
}

async function fileBytes(file: string): Promise<number> {
  return statSync(file).size
}

async function usedMemory({ host, port }: RedisProcess): Promise<number> {
  const client = new Redis({ host, port })
  const info = await client.info('memory')
  client.disconnect()
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0)
}
