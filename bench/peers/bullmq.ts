// BullMQ as its users run it: jobs are added in bulk by one process and processed by a worker in another.

import { Queue } from 'bullmq'
import type { Waits } from '../clock.ts'
import { Forked } from '../forked.ts'
import { inBatches } from '../in-batches.ts'
import { type Measured, measure } from '../measure.ts'

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

let peers = 0

export class BullmqPeer {
  readonly name: string
  readonly #queue: Queue
  readonly #worker: Forked
  readonly #redis: RedisAddress

  private constructor(name: string, queue: Queue, worker: Forked, redis: RedisAddress) {
    this.name = name
    this.#queue = queue
    this.#worker = worker
    this.#redis = redis
  }

  static async start(redis: RedisAddress, slots: number, called = 'bullmq'): Promise<BullmqPeer> {
    const { host, port } = redis
    peers += 1
    const name = `bench-${process.pid}-${peers}`
    const queue = new Queue(name, { connection: { host, port } })
    await queue.waitUntilReady()
    const worker = await Forked.start(new URL('./bullmq-main.ts', import.meta.url), {
      name,
      host,
      port,
      slots,
    })
    return new BullmqPeer(called, queue, worker, redis)
  }

  async submit(data: object): Promise<void> {
    await this.#queue.add('noop', data)
  }

  /** No-op jobs added in bulk and processed. */
  async lifecycles(count: number, batch: number, inFlight: number): Promise<Measured> {
    const before = await this.#queue.getCompletedCount()
    const pids = { producer: process.pid, worker: this.#worker.pid }
    const measured = await measure(count, { pids, redis: this.#redis }, async () => {
      const finished = this.#worker.ask({ expect: count })
      await inBatches(count, batch, inFlight, async (data) => {
        await this.#queue.addBulk(data.map((each) => ({ name: 'noop', data: each })))
      })
      await finished
    })
    const completed = (await this.#queue.getCompletedCount()) - before
    if (completed !== count) throw new Error(`BullMQ completed ${completed} of ${count}`)
    return measured
  }

  /** How long jobs with `sentAt` waited since the last time this was asked. */
  async waits(): Promise<readonly number[]> {
    const waits = await this.#worker.ask<Waits>({ waits: true })
    return Object.values(waits).flat()
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
    await this.#queue.close()
  }
}
