import { channel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../ports/store-unavailable.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { ThreadClient } from './thread-client.ts'
import type { ReadRequest } from './thread-messages.ts'

describe('the threads of the embedded store', () => {
  let file: string
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-threads-'))
    file = join(directory, 'store.sqlite')
    return () => rm(directory, { recursive: true })
  })

  it('[S48] a change of 200,000 removals is written like any other', async () => {
    const store = await openSqliteStore({ file })
    await store.commit({ id: 'one', partition: 'room', put: [{ key: 'job/7', head: 'h' }] })
    const remove = Array.from({ length: 200_000 }, (_, n) => `job/${n}`)
    expect(await store.commit({ id: 'two', partition: 'room', remove })).toMatchObject({ revision: 2 })
    expect(await store.read('room', ['job/7'])).toEqual([null])
    await store.close()
  })

  it('[S48] requests that cannot be sent are refused, and those that come later are answered', async () => {
    await (await openSqliteStore({ file })).close()
    const encode = (request: ReadRequest): unknown => {
      if (request.op === 'logEnd') throw new RangeError('too much')
      return request
    }
    const data = {
      role: 'reader',
      file,
      at: 0,
      behind: new Int32Array(1),
      short: new Int32Array(1),
      reserveBytes: 0,
    } as const
    const client = await ThreadClient.start<ReadRequest>(data, () => 0, {
      encode,
      decoderOf: () => (answer) => answer,
    })
    const together = [
      client.ask({ op: 'queues', partition: undefined }),
      client.ask({ op: 'logEnd' }),
      // From this weight on a group is sent within the call.
      client.ask({ op: 'queues', partition: undefined }, 1000),
    ]
    for (const outcome of await Promise.allSettled(together)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
    }
    expect(await client.ask({ op: 'queues', partition: undefined })).toEqual([])
    await client.close()
  })

  it.each(['writer', 'reader'])(
    '[S49] a feed that waits when the %s dies ends with the fault',
    async (role) => {
      const threads: Worker[] = []
      const note = (message: unknown): number => threads.push((message as { worker: Worker }).worker)
      channel('worker_threads').subscribe(note)
      const store = await openSqliteStore({ file })
      channel('worker_threads').unsubscribe(note)
      const waiting = store.feed('now')
      await waiting.ready
      const next = waiting[Symbol.asyncIterator]().next()
      // The page in which the feed finds nothing is answered before this later read.
      await store.counters('room')
      await threads[role === 'writer' ? 0 : 1]?.terminate()
      await expect(next).rejects.toBeInstanceOf(StoreUnavailable)
      const late = store.feed('now')[Symbol.asyncIterator]().next()
      await expect(late).rejects.toBeInstanceOf(StoreUnavailable)
      await store.close()
    },
  )

  it('[S33] a closed store describes itself no more, and its clock goes on', async () => {
    const store = await openSqliteStore({ file, now: () => 7 })
    await store.close()
    await expect(store.describe()).rejects.toBeInstanceOf(StoreUnavailable)
    expect(store.now()).toBe(7)
  })
})
