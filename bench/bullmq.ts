// BullMQ as its users would run it: bulk adds of the same batch size while a worker with as many slots processes.

import { Queue, Worker } from 'bullmq'
import { perSecond } from './figures.ts'

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

let runs = 0

/** No-op jobs added and processed per second. */
export async function bullmqLifecycles(
  { host, port }: RedisAddress,
  count: number,
  batch: number,
): Promise<number> {
  const name = `bench-${process.pid}-${runs++}`
  const connection = { host, port, maxRetriesPerRequest: null }
  const queue = new Queue(name, { connection })
  await queue.waitUntilReady()
  let processed = 0
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const worker = new Worker(name, async () => null, { connection, concurrency: batch })
  worker.on('completed', () => {
    if (++processed === count) finish()
  })
  await worker.waitUntilReady()
  const speed = await perSecond(count, async () => {
    for (let added = 0; added < count; added += batch) {
      await queue.addBulk(Array.from({ length: batch }, (_, n) => ({ name: 'noop', data: { n } })))
    }
    await finished
  })
  await worker.close()
  await queue.close()
  return speed
}
