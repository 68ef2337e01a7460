import { randomUUID } from 'node:crypto'
import { openRedisStore, type Store } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change, claim, commitAll, jobKey, queued } from './contract-scene.ts'

describe('what an operation on a room names in Redis', () => {
  let redis: RedisProcess
  let store: Store
  let client: Redis
  let monitor: Redis

  beforeAll(async () => {
    redis = await RedisProcess.start()
    store = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }] })
    client = new Redis({ host: redis.host, port: redis.port })
    monitor = await client.monitor()
  }, 30_000)
  afterAll(async () => {
    monitor?.disconnect()
    client?.disconnect()
    await store?.close()
    await redis?.stop()
  })

  /** Every command the server ran, those inside scripts too, between two markers: the monitor lags behind. */
  const commandsDuring = async (run: () => Promise<unknown>): Promise<string[][]> => {
    const commands: string[][] = []
    const [start, end] = [randomUUID(), randomUUID()]
    const seenEnd = new Promise<void>((resolve) => {
      monitor.on('monitor', (_at: string, args: string[]) => {
        if (args.includes(start)) commands.length = 0
        else if (args.includes(end)) resolve()
        else commands.push(args)
      })
    })
    await client.echo(start)
    await run()
    await client.echo(end)
    await seenEnd
    monitor.removeAllListeners('monitor')
    return commands
  }

  const workIn = async (room: string): Promise<void> => {
    const puts = [1, 2, 3].map((n) =>
      queued(jobKey(n), n, { lists: ['all'], wideLists: ['pending'], dueAt: n }),
    )
    await commitAll(
      store,
      change(room, { put: puts, add: { made: 3 }, announce: [{ subject: 'a', event: 'e' }] }),
    )
    await store.claim(
      claim(room, 'queue', 2, { limits: [{ counter: 'running', max: 9 }], add: { running: 1 } }),
    )
    await store.read(room, [jobKey(1), jobKey(9)])
    await store.list({ partition: room, lists: ['all'], order: 'newest', limit: 10 })
    await store.queues(room)
    await store.counters(room)
    await store.commit(change(room, { expect: { [jobKey(1)]: 77 } }))
    await commitAll(store, change(room, { remove: [jobKey(1)] }))
  }

  it('[S32] commits, claims and reads of one room name no other room, also when rooms share a shard', async () => {
    const rooms = Array.from({ length: 40 }, (_, n) => `room-${n}-of-many`)
    for (const room of rooms) await workIn(room)
    for (const room of rooms.slice(0, 5)) {
      const commands = await commandsDuring(() =>
        workIn(`${room}-again`).then(() => store.read(room, [jobKey(2)])),
      )
      expect(commands.some((args) => args.join(' ').includes(room))).toBe(true)
      const others = rooms.filter((other) => other !== room)
      expect(commands.flat().filter((arg) => others.some((other) => arg.includes(other)))).toEqual([])
    }
  })

  it('[S32] all keys of a room have one hash tag, and rooms of other shards have other keys', async () => {
    const tagsOf = async (room: string): Promise<string[]> => {
      const commands = await commandsDuring(() => workIn(room))
      const tags = commands.flat().flatMap((arg) => /^[^{\n]{0,80}\{[^}\n]{1,40}\}/.exec(arg)?.[0] ?? [])
      return [...new Set(tags)]
    }
    const tags: string[] = []
    for (let n = 0; n < 24; n++) {
      const own = await tagsOf(`sharded-${n}`)
      expect(new Set(own.map((key) => key.slice(key.indexOf('{')))).size).toBe(1)
      tags.push(own[0] ?? '')
    }
    expect(new Set(tags).size).toBeGreaterThan(4)
  })
})
