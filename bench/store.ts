// Whole lifecycles (submit, claim, complete, each with its events) on both stores beside BullMQ on the same Redis, and
// the claim rate with a million jobs pending against a thousand. Everybody works in a process of its own, as in life: two
// stores in one process pay for each other's garbage and for code that has to fit both.

import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { nodeFlags } from '@millrace/server'
import { makeTempDir, RedisProcess } from '@millrace/testkit'
import { Redis } from 'ioredis'
import type { Bench, Figures } from './bench.ts'
import { median } from './figures.ts'
import { Forked } from './forked.ts'
import type { ClaimRates, StoreQuestion, StoreSetup } from './millrace/store-main.ts'
import { BullmqPeer } from './peers/bullmq.ts'

const batch = 100
const lifecycles = 48_000
const manyPending = 1_000_000
// A settle of the embedded store takes as long as four rounds, and comes after every fifteen: fewer rounds are mostly luck.
const claimRounds = 200
const rounds = 5
/** Adding while the worker processes is what suits it best. */
const bullmqInFlight = 4

export const bench: Bench = {
  name: 'store',
  async run(report): Promise<Figures> {
    const redis = await RedisProcess.start()
    const directory = await makeTempDir('bench-store')
    const file = `${directory}/store.db`
    const sqlite = await StoreProcess.start({ file })
    const shared = await StoreProcess.start({ redis: { host: redis.host, port: redis.port } })
    try {
      report(
        'persistence: SQLite, every answer synced (FULL); Redis without persistence, the same one for BullMQ',
      )
      const speeds = await compareSpeeds(report, sqlite, shared, redis)
      const onSqlite = await claimRatio(report, 'sqlite', sqlite, async () => usedPages(file))
      const onRedis = await claimRatio(report, 'redis', shared, () => usedMemory(redis))
      return {
        ...speeds,
        sqlite_claim_1m_vs_1k: onSqlite.ratio,
        redis_claim_1m_vs_1k: onRedis.ratio,
        sqlite_bytes_per_job: onSqlite.bytesPerJob,
        redis_bytes_per_job: onRedis.bytesPerJob,
      }
    } finally {
      await sqlite.stop()
      await shared.stop()
      await redis.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
}

class StoreProcess {
  readonly #forked: Forked

  private constructor(forked: Forked) {
    this.#forked = forked
  }

  static async start(setup: StoreSetup): Promise<StoreProcess> {
    const main = new URL('./millrace/store-main.ts', import.meta.url)
    return new StoreProcess(await Forked.start(main, setup, nodeFlags))
  }

  async ask<Answer = number>(question: StoreQuestion): Promise<Answer> {
    const { answered } = await this.#forked.ask<{ answered: Answer }>(question)
    return answered
  }

  stop(): Promise<void> {
    return this.#forked.stop()
  }
}

/** Rounds alternate, so that a slow spell of the machine meets all three alike. */
async function compareSpeeds(
  report: (line: string) => void,
  sqlite: StoreProcess,
  shared: StoreProcess,
  redis: RedisProcess,
): Promise<Figures> {
  const speeds = { sqlite: [] as number[], redis: [] as number[], bullmq: [] as number[] }
  const peer = await BullmqPeer.start(redis, batch)
  for (const store of [sqlite, shared]) await store.ask({ op: 'lifecycles', name: 'warm', count: lifecycles })
  await peer.lifecycles(lifecycles / 3, batch, bullmqInFlight)
  for (let round = 1; round <= rounds; round++) {
    const question = { op: 'lifecycles', name: `round-${round}`, count: lifecycles } as const
    speeds.sqlite.push(await sqlite.ask(question))
    speeds.redis.push(await shared.ask(question))
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

async function claimRatio(
  report: (line: string) => void,
  name: string,
  store: StoreProcess,
  bytes: () => Promise<number>,
): Promise<{ readonly ratio: number; readonly bytesPerJob: number }> {
  const before = await bytes()
  const fill = await store.ask({ op: 'fill', count: manyPending })
  const bytesPerJob = ((await bytes()) - before) / manyPending
  report(
    `${name}: ${manyPending} jobs submitted at ${Math.round(fill)} per second, ${Math.round(bytesPerJob)} bytes each`,
  )
  const { many, few } = await store.ask<ClaimRates>({ op: 'claims', rounds: claimRounds })
  report(`${name}: claims per second ${Math.round(many)} of a million, ${Math.round(few)} of a thousand`)
  return { ratio: many / few, bytesPerJob }
}

/** In bytes, with those that still stand in SQLite's log only. */
function usedPages(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
  const bytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  db.close()
  return pages * bytes
}

async function usedMemory({ host, port }: RedisProcess): Promise<number> {
  const client = new Redis({ host, port })
  const info = await client.info('memory')
  client.disconnect()
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0)
}
