// No-op jobs from bulk submit over HTTP, over the socket to one worker process, to completed; everything on that a user
// has on, and a client in the room that hears every change. Beside BullMQ and Celery in the same run, in turns.

import { RedisProcess } from '@millrace/testkit'
import type { Bench, Figures } from './bench.ts'
import { median } from './figures.ts'
import type { Measured } from './measure.ts'
import { Contender } from './millrace/contender.ts'
import { BullmqPeer } from './peers/bullmq.ts'
import { CeleryPeer } from './peers/celery.ts'

/** Long enough for what a store puts off to be paid for within its own turn: the embedded one settles its tables on the way. */
const jobs = 60_000
const singleJobs = 5_000
const celeryJobs = 2_000
const batch = 500
const batchesInFlight = 4
const singlesInFlight = 32
const slots = 100
const rounds = 5

type Note = (name: string, measured: Measured) => void
type Speeds = Record<string, number[]>

export const bench: Bench = {
  name: 'throughput',
  async run(report): Promise<Figures> {
    report(
      'persistence: SQLite, every answer synced (FULL); Redis without persistence, one for all three that use it',
    )
    const redis = await RedisProcess.start()
    const embedded = await Contender.start('embedded', null, slots)
    const shared = await Contender.start('redis', redis, slots)
    const bullmq = await BullmqPeer.start(redis, slots)
    const celery = await CeleryPeer.start(redis, report)
    const speeds: Speeds = {}
    try {
      await warmUp(embedded, shared, bullmq, celery)
      for (let round = 1; round <= rounds; round++) {
        report(`round ${round}: jobs per second, and CPU microseconds per job`)
        await playRound(
          (name, { perSecond, cost }) => {
            report(`  ${name.padEnd(24)} ${String(Math.round(perSecond)).padStart(6)}  ${cost}`)
            speeds[name] = [...(speeds[name] ?? []), perSecond]
          },
          { embedded, shared, bullmq, celery },
        )
      }
    } finally {
      for (const each of [embedded, shared, bullmq, celery, redis]) await each?.stop()
    }
    return figuresOf(speeds)
  },
}

interface Players {
  readonly embedded: Contender
  readonly shared: Contender
  readonly bullmq: BullmqPeer
  readonly celery: CeleryPeer | null
}

/** New processes begin cold; nobody is measured before it has run as much as its engine wants to get warm. */
async function warmUp(
  embedded: Contender,
  shared: Contender,
  bullmq: BullmqPeer,
  celery: CeleryPeer | null,
): Promise<void> {
  for (const contender of [embedded, shared]) {
    await contender.bulk(jobs, batch, batchesInFlight)
    await contender.singles(singleJobs, singlesInFlight)
  }
  await bullmq.lifecycles(jobs, batch, batchesInFlight)
  await celery?.lifecycles(celeryJobs / 4)
}

/** Everybody has a turn in every round, so that a slow spell of the machine meets all alike. */
async function playRound(note: Note, { embedded, shared, bullmq, celery }: Players): Promise<void> {
  for (const contender of [embedded, shared])
    note(contender.name, await contender.bulk(jobs, batch, batchesInFlight))
  note('bullmq', await bullmq.lifecycles(jobs, batch, batchesInFlight))
  if (celery) note('celery', await celery.lifecycles(celeryJobs))
  for (const contender of [embedded, shared])
    note(`${contender.name}_single_submits`, await contender.singles(singleJobs, singlesInFlight))
}

function figuresOf(speeds: Speeds): Figures {
  const medians = Object.fromEntries(Object.entries(speeds).map(([name, all]) => [name, median(all)]))
  const { embedded = Number.NaN, redis = Number.NaN, bullmq = Number.NaN, celery } = medians
  return {
    ...Object.fromEntries(Object.entries(medians).map(([name, speed]) => [`${name}_per_s`, speed])),
    embedded_vs_bullmq: embedded / bullmq,
    redis_vs_bullmq: redis / bullmq,
    ...(celery !== undefined && { embedded_vs_celery: embedded / celery }),
  }
}
