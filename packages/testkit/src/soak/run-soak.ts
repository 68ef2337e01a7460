// A soak on one store: a server and a worker as processes, half of what they can do, and a look at them every few seconds.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { startChild } from '../process/child-process.ts'
import { inspected } from '../process/inspected-heap.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { startServerProcess } from '../server/server-process.ts'
import { type Growth, growthOf, isEnough, type Reading } from './growth.ts'
import { boundsFor, type Figure, type Looked, lookAt } from './soak-figures.ts'
import { SoakLoad } from './soak-load.ts'
import type { SoakStore } from './soak-options.ts'
import type { SoakWorkerTask } from './soak-worker-main.ts'

export interface SoakOptions {
  readonly store: SoakStore
  readonly runMs: number
  readonly leaks: boolean
  readonly lookEveryMs?: number
  readonly measureMs?: number
  /** Of each job's data. */
  readonly textLength?: number
  readonly onLook?: (atMs: number, figures: Partial<Record<Figure, number>>) => void
}

export interface SoakOutcome {
  readonly store: SoakStore
  readonly minutes: number
  /** Jobs per second: what could be done, and what was asked for. */
  readonly measured: number
  readonly rate: number
  readonly submitted: number
  readonly refused: number
  readonly ended: Readonly<Record<string, number>>
  readonly figures: Partial<Record<Figure, Growth>>
  /** What is wrong, in sentences; none is what one wants. */
  readonly findings: readonly string[]
}

const main = fileURLToPath(new URL('./soak-worker-main.ts', import.meta.url))
const room = 'soak'
const slots = 100
/** Of those that were submitted, at the end, when everything has had a moment to be done. */
const restMs = 60_000

export async function runSoak(options: SoakOptions): Promise<SoakOutcome> {
  const { store, leaks, measureMs = 10_000, textLength = 200 } = options
  const redis = store === 'redis' ? await RedisProcess.start({ appendfsync: 'everysec' }) : null
  const client = redis ? new Redis(redis.port, redis.host) : null
  const folder = join(await makeTempDir('soak'), 'data')
  const place = redis ? ['--redis', `redis://${redis.host}:${redis.port}`] : []
  const server = await startServerProcess(['--data-dir', folder, ...place], inspected)
  const { admin, url } = server
  await admin.expect(201, 'POST', '/api/rooms', { name: room })
  const task: SoakWorkerTask = { url, token: admin.token ?? '', room, slots, leaks }
  const worker = startChild(process.execPath, ['--no-warnings', main, JSON.stringify(task)], inspected)
  const load = await SoakLoad.open(admin, room, textLength)
  try {
    await worker.line((line) => line === 'ready')
    const measured = await load.measure(measureMs)
    const rate = measured / 2
    const looked: Looked = { server: server.child, worker, store: client ? { redis: client } : { folder } }
    let isLooking = true
    const running = load.run(rate, () => isLooking)
    const readings = await look(looked, options).finally(() => {
      isLooking = false
    })
    await running
    await rest(load)
    return outcomeOf(options, { measured, rate }, load, readings)
  } finally {
    load.close()
    admin.close()
    client?.disconnect()
    await worker.kill()
    await server.child.kill()
    await redis?.stop()
  }
}

type Readings = Map<Figure, Reading[]>

/** On a slow machine a look takes long: a run that has seen too little to be judged goes on until it has. */
async function look(looked: Looked, { runMs, lookEveryMs = 5_000, onLook }: SoakOptions): Promise<Readings> {
  const readings: Readings = new Map()
  const begun = performance.now()
  const isOver = (atMs: number): boolean =>
    atMs >= runMs && isEnough(readings.get('worker heap') ?? [], boundsFor({ runMs })['worker heap'])
  for (let atMs = 0; !isOver(atMs); atMs = performance.now() - begun) {
    const figures = await lookAt(looked)
    for (const [figure, value] of Object.entries(figures) as [Figure, number][]) {
      readings.set(figure, [...(readings.get(figure) ?? []), { atMs, value }])
    }
    onLook?.(atMs, figures)
    await sleep(Math.max(0, atMs + lookEveryMs - (performance.now() - begun)))
  }
  return readings
}

/** Until all have ended, but not for ever. */
async function rest(load: SoakLoad): Promise<void> {
  const begun = performance.now()
  while (load.endedCount < load.submitted && performance.now() - begun < restMs) await sleep(100)
}

function outcomeOf(
  { store, runMs }: SoakOptions,
  { measured, rate }: { readonly measured: number; readonly rate: number },
  load: SoakLoad,
  readings: Readings,
): SoakOutcome {
  const bounds = boundsFor({ runMs })
  const figures = Object.fromEntries(
    [...readings].map(([figure, values]) => [figure, growthOf(values, bounds[figure])]),
  ) as SoakOutcome['figures']
  const growing = Object.entries(figures).filter(([, { verdict }]) => verdict === 'grows')
  const left = load.submitted - load.endedCount
  return {
    store,
    minutes: runMs / 60_000,
    measured,
    rate,
    submitted: load.submitted,
    refused: load.refused,
    ended: load.ended,
    figures,
    findings: [
      ...growing.map(([figure, { perHour }]) => `${figure} grows by ${Math.round(perHour)} an hour`),
      ...(left > 0 ? [`${left} jobs were not heard to end`] : []),
      ...(load.refused > 0 ? [`${load.refused} jobs were refused`] : []),
    ],
  }
}
