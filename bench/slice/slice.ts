// The thin slice measured: bulk submit over HTTP, one worker process over a socket, completed; on both stores, beside
// BullMQ on the same Redis in the same run.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { makeTempDir, RedisProcess } from '@millrace/testkit'
import type { Bench, Figures } from '../bench.ts'
import { bullmqLifecycles } from '../bullmq.ts'
import { median, perSecond } from '../figures.ts'

const jobs = 20_000
const batch = 500
const slots = 100
const inFlight = 4
const rounds = 3

export const bench: Bench = {
  name: 'slice',
  async run(report): Promise<Figures> {
    const redis = await RedisProcess.start()
    const directory = await makeTempDir('bench-slice')
    const speeds = { sqlite: [] as number[], redis: [] as number[], bullmq: [] as number[] }
    try {
      report('persistence: SQLite WAL synchronous=FULL; Redis without persistence, the same one for BullMQ')
      for (let round = 1; round <= rounds; round++) {
        speeds.sqlite.push(await runSlice({ sqliteFile: `${directory}/${round}.db` }))
        speeds.redis.push(await runSlice({ redisPort: redis.port }))
        speeds.bullmq.push(await bullmqLifecycles(redis, jobs, slots))
        report(`round ${round}, jobs per second: ${JSON.stringify(lastOf(speeds))}`)
      }
    } finally {
      await redis.stop()
      await rm(directory, { recursive: true, force: true })
    }
    const [onSqlite, onRedis, peer] = [median(speeds.sqlite), median(speeds.redis), median(speeds.bullmq)]
    return {
      slice_sqlite_per_s: onSqlite,
      slice_redis_per_s: onRedis,
      bullmq_per_s: peer,
      slice_sqlite_vs_bullmq: onSqlite / peer,
      slice_redis_vs_bullmq: onRedis / peer,
    }
  },
}

function lastOf(speeds: Readonly<Record<string, readonly number[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(speeds).map(([name, all]) => [name, Math.round(all.at(-1) ?? 0)]))
}

async function runSlice(setup: { sqliteFile: string } | { redisPort: number }): Promise<number> {
  const server = start('./server.ts', setup)
  const { port } = await message<{ port: number }>(server)
  const worker = start('./worker.ts', { port, slots, jobs })
  await message(worker)
  // Two new processes begin cold, and BullMQ has run before; the first round is theirs.
  await submitAndFinish(port, worker)
  const speed = await perSecond(jobs, () => submitAndFinish(port, worker))
  await stop(worker)
  await stop(server)
  return speed
}

async function submitAndFinish(port: number, worker: ChildProcess): Promise<void> {
  const finished = message(worker)
  let submitted = 0
  const submit = async (): Promise<void> => {
    while (submitted < jobs) {
      const first = submitted
      submitted += batch
      await submitMany(port, first)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, submit))
  await finished
}

async function submitMany(port: number, first: number): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/submit-many`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: Array.from({ length: batch }, (_, n) => ({ n: first + n })) }),
  })
  if (reply.status !== 201) throw new Error(`submit answered ${reply.status}`)
  await reply.json()
}

function start(file: string, setup: object): ChildProcess {
  return fork(new URL(file, import.meta.url), [JSON.stringify(setup)])
}

async function message<Content>(child: ChildProcess): Promise<Content> {
  const [content] = (await once(child, 'message')) as [Content]
  return content
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.send('stop')
  await exited
}
