// From submit to the first line of the handler, at 200 submits a second that wait for nothing: a slow answer does not
// hold up the next submit. Millrace on both stores, beside BullMQ on the same Redis, and on one that syncs every write,
// which is what the embedded store promises. All of them submit over a connection that stays open, BullMQ's being one to
// Redis. Figures of their own are a request for each job, as programs without the SDK submit, and both on the Redis that
// syncs, where nothing that was acknowledged is lost.

import { RedisProcess } from '@millrace/testkit'
import type { Bench, Figures } from './bench.ts'
import { now } from './clock.ts'
import { median, quantile } from './figures.ts'
import { inBatches } from './in-batches.ts'
import { Contender } from './millrace/contender.ts'
import { openLoop } from './open-loop.ts'
import { BullmqPeer } from './peers/bullmq.ts'

const perSecond = 200
const measuredMs = 6_000
const warmUpMs = 3_000
/**
 * New processes begin cold, and a server that runs for days is not: nobody is measured while its engine still compiles.
 * After 10,000 jobs Millrace's compiled a dozen functions a second, which took a processor from it each time.
 */
const warmUpJobs = 60_000
const warmUpInFlight = 32
const slots = 100
/** As many as there are contenders, each begun by another: whoever comes after one that writes to disk meets what is left of it. */
const rounds = 7

/** Somebody whose jobs can be submitted one at a time and who knows how long they waited. */
interface Runner {
  readonly name: string
  submit(data: object): Promise<void>
  waits(): Promise<readonly number[]>
}

function byLine(contender: Contender): Runner {
  const { name } = contender
  return { name, submit: (data) => contender.submitByLine(data), waits: () => contender.waits() }
}

function byRequests(contender: Contender): Runner {
  const name = `${contender.name}_http`
  return { name, submit: (data) => contender.submit(data), waits: () => contender.waits() }
}

export const bench: Bench = {
  name: 'latency',
  async run(report): Promise<Figures> {
    report(
      'persistence: SQLite, every answer synced (FULL); Redis without; those named synced on one with appendfsync always',
    )
    const redis = await RedisProcess.start()
    const synced = await RedisProcess.start({ appendfsync: 'always' })
    const onDisk = await Contender.start('embedded', null, slots)
    const onRedis = await Contender.start('redis', redis, slots)
    const onSynced = await Contender.start('redis_synced', synced, slots)
    const peers = [
      await BullmqPeer.start(redis, slots, 'bullmq'),
      await BullmqPeer.start(synced, slots, 'bullmq_synced'),
    ]
    const runners: readonly Runner[] = [
      byLine(onDisk),
      byRequests(onDisk),
      byLine(onRedis),
      byRequests(onRedis),
      byLine(onSynced),
      ...peers,
    ]
    const found: Record<string, { p50: number[]; p99: number[] }> = {}
    try {
      for (const runner of runners) await warmUp(runner)
      for (let round = 1; round <= rounds; round++) {
        const first = round % runners.length
        for (const runner of [...runners.slice(first), ...runners.slice(0, first)]) {
          const waits = await waitsOf(runner, measuredMs)
          const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)]
          report(
            `round ${round}: ${runner.name.padEnd(14)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
          )
          const all = found[runner.name] ?? { p50: [], p99: [] }
          found[runner.name] = all
          all.p50.push(p50)
          all.p99.push(p99)
        }
      }
    } finally {
      for (const each of [onDisk, onRedis, onSynced, ...peers, redis, synced]) await each.stop()
    }
    return figuresOf(found)
  },
}

async function warmUp(runner: Runner): Promise<void> {
  await inBatches(warmUpJobs, 1, warmUpInFlight, ([data]) => runner.submit({ ...data, sentAt: now() }))
  await settled(runner, warmUpJobs)
  await waitsOf(runner, warmUpMs)
}

async function waitsOf(runner: Runner, durationMs: number): Promise<readonly number[]> {
  const count = (durationMs * perSecond) / 1_000
  await openLoop(count, 1_000 / perSecond, (n, sentAt) => runner.submit({ n, sentAt }))
  const waits = await settled(runner, count)
  if (waits.length !== count) throw new Error(`${runner.name} began ${waits.length} of ${count} jobs`)
  return waits
}

/** The last may still be on their way when the last submit was answered. */
async function settled(runner: Runner, count: number): Promise<readonly number[]> {
  const waits: number[] = []
  for (let looks = 0; waits.length < count && looks < 100; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    waits.push(...(await runner.waits()))
  }
  return waits
}

function figuresOf(
  found: Readonly<Record<string, { p50: readonly number[]; p99: readonly number[] }>>,
): Figures {
  const figures: Record<string, number> = {}
  for (const [name, { p50, p99 }] of Object.entries(found)) {
    figures[`${name}_p50_ms`] = median(p50)
    figures[`${name}_p99_ms`] = median(p99)
  }
  const p99 = (name: string): number => figures[`${name}_p99_ms`] ?? Number.NaN
  return {
    ...figures,
    redis_p99_vs_bullmq: p99('redis') / p99('bullmq'),
    redis_http_p99_vs_bullmq: p99('redis_http') / p99('bullmq'),
    redis_synced_p99_vs_bullmq: p99('redis_synced') / p99('bullmq_synced'),
    embedded_p99_vs_bullmq: p99('embedded') / p99('bullmq_synced'),
    embedded_http_p99_vs_bullmq: p99('embedded_http') / p99('bullmq_synced'),
  }
}
