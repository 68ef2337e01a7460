import { randomUUID } from 'node:crypto'
import { type Change, type Committed, openRedisStore, type Store, StoreUnavailable } from '@millrace/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { changeId } from '../store-contract/change-id.ts'
import { drain, eventsOf, positionNow } from '../store-contract/feed-reader.ts'
import { type Break, TcpProxy } from './tcp-proxy.ts'

const key = 'job/1'

describe('a connection to Redis that breaks during a commit', () => {
  let redis: RedisProcess
  let proxy: TcpProxy
  /** Through the proxy, and past it: what the caller is told and what is true. */
  let caller: Store
  let witness: Store

  beforeAll(async () => {
    redis = await RedisProcess.start()
  })
  beforeEach(async () => {
    proxy = await TcpProxy.start(redis)
    const prefix = randomUUID()
    witness = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }], prefix })
    caller = await openRedisStore({ nodes: [{ host: proxy.host, port: proxy.port }], prefix })
  })
  afterEach(async () => {
    await Promise.all([caller?.close(), witness?.close()])
    await proxy?.close()
  })
  afterAll(async () => {
    await redis?.stop()
  })

  const submit = (room: string): Change => ({
    id: changeId(),
    partition: room,
    expect: { [key]: 0 },
    put: [{ key, head: 'h', body: 'x'.repeat(300) }],
    add: { made: 1 },
    announce: [{ subject: key, event: 'made' }],
  })

  /** Sent until it is answered; each StoreUnavailable in between must be honest about knowing nothing. */
  const settle = async (change: Change): Promise<Committed> => {
    for (let tries = 0; tries < 20; tries++) {
      try {
        const answer = await caller.commit(change)
        if (answer.outcome === 'stale') expect.fail('told stale although nobody else wrote')
        return answer
      } catch (fault) {
        if (!(fault instanceof StoreUnavailable)) throw fault
      }
    }
    return expect.fail('not answered after 20 tries')
  }

  const expectTruth = async (how: Break, room: string): Promise<void> => {
    const change = submit(room)
    const start = await positionNow(witness)
    const broken = proxy.breakAt(change.id, how)
    const answer = await settle(change)
    await broken
    expect(answer).toEqual({ outcome: 'committed', revision: 1, sequence: 1 })
    expect(await witness.read(room, [key])).toMatchObject([{ version: 1, head: 'h' }])
    expect(await witness.counters(room)).toEqual({ made: 1 })
    expect(eventsOf(await drain(witness, witness.feed(start), [room]))).toEqual([
      { sequence: 1, subject: key, event: 'made' },
    ])
  }

  it('[S40] cut in the middle of the request, at many places, it is applied once and answered truly', {
    timeout: 60_000,
  }, async () => {
    for (let afterBytes = 0; afterBytes < 1000; afterBytes += 83) {
      await expectTruth({ kind: 'cut-request', afterBytes }, `cut-${afterBytes}`)
    }
  })

  it('[S40] cut after the whole request, it is applied once and answered truly', async () => {
    await expectTruth({ kind: 'cut-request', afterBytes: 1_000_000 }, 'cut-after')
  })

  it('[S40] when the answer is lost, the change is not applied again and the answer is the lost one', async () => {
    for (let n = 0; n < 10; n++) await expectTruth({ kind: 'lose-answer' }, `lost-${n}`)
  })

  it('[S40] when the connection falls silent, the caller is answered in bounded time and truly', {
    timeout: 60_000,
  }, async () => {
    await expectTruth({ kind: 'go-silent' }, 'silent')
  })

  it('[S40] a claim whose answer is lost names the records it took, and takes them once', async () => {
    const queue = { name: 'queue', score: 1 }
    await witness.commit({ id: changeId(), partition: 'claims', put: [{ key, head: 'h', queue }] })
    const claim = {
      id: changeId(),
      partition: 'claims',
      queue: 'queue',
      attempts: [{ attempt: 'token', dueAt: 1, event: 'claimed' }],
      move: { from: 'pending', to: 'assigned' },
      add: { running: 1 },
    }
    const broken = proxy.breakAt(claim.id, { kind: 'lose-answer' })
    const ask = async () => (await caller.claim(claim)).records
    const records = await ask().catch((fault: unknown) => {
      expect(fault).toBeInstanceOf(StoreUnavailable)
      return ask()
    })
    await broken
    expect(records).toMatchObject([{ key, attempt: 'token' }])
    expect(await witness.counters('claims')).toEqual({ running: 1 })
  })
})
