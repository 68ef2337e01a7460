import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FaultProxy } from '../chaos/fault/fault-proxy.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from './flow-scene.ts'

let redis: RedisProcess
let servers: ServerProcess[]
let scenes: FlowScene[]

beforeEach(async () => {
  redis = await RedisProcess.start()
  const place = ['--redis', `redis://${redis.host}:${redis.port}`, '--poll-interval-ms', '50']
  const args = ['--data-dir', await makeTempDir('upkeep'), ...place]
  servers = [await startServerProcess(args), await startServerProcess(args)]
  scenes = servers.map(({ url, admin }) => new FlowScene(url, admin.token ?? ''))
})
afterEach(async () => {
  for (const scene of scenes) await scene.close()
  for (const { child } of servers) await child.kill()
  await redis.stop()
})

const both = (): [FlowScene, FlowScene] => scenes as [FlowScene, FlowScene]

describe('two servers that look at the same due jobs', () => {
  it('[M113] take back each job that was not accepted once, and queue each that was delayed once', {
    timeout: 120_000,
  }, async () => {
    const [one, other] = both()
    const rooms = [await one.newRoom(), await one.newRoom(), await other.newRoom(), await other.newRoom()]
    const each = 10
    const jobs: { room: string; id: string }[] = []
    for (const room of rooms) {
      // Long enough for the drain to come before it, and for a worker to accept on a machine that stands still meanwhile.
      const worker = await other.worker([{ room, policy: { job: { acceptMs: 8_000 } } }], { slots: each })
      jobs.push(...(await one.submitMany(room, each)).map((id) => ({ room, id })))
      await worker.assigned.take(each)
      await one.admin.expect(200, 'POST', `/api/workers/${worker.id}/drain`)
      await one.submit(room, {}, { notBefore: Date.now() + 1_000 })
    }
    for (const { room, id } of jobs) {
      while ((await one.job(room, id)).status !== 'pending');
      const { attempts } = await other.job(room, id)
      expect(attempts).toMatchObject([{ outcome: 'not_accepted' }])
    }
    for (const room of rooms) {
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/stats`
      while ((await one.admin.get<{ pending: number }>(path)).pending !== each + 1);
    }
    const ledger = await one.ledger()
    const extensions = [{ room: rooms, category: 'modifiers', name: 'Relax' }]
    await one.process({ ledger: ledger.file, slots: 8, extensions })
    await other.process({ ledger: ledger.file, slots: 8, extensions })
    while (ledger.jobs().length < jobs.length + rooms.length) await one.why(rooms[0]!, jobs[0]!.id)
    expect(new Set(ledger.jobs()).size).toBe(ledger.jobs().length)
  })
})

describe('a replica that is told to stop', () => {
  it('[M103] is gone at once, and a worker with a process of its own carries on at the other', {
    timeout: 120_000,
  }, async () => {
    const [stops, stays] = both()
    const door = await FaultProxy.start(servers.map(({ url }) => Number(new URL(url).port)))
    const behind = new FlowScene(`http://127.0.0.1:${door.port}`, stops.admin.token ?? '')
    const room = await stays.newRoom()
    const ear = await stays.ear(room)
    const ledger = await stays.ledger()
    const worker = await behind.process({
      ledger: ledger.file,
      extensions: [{ room, category: 'modifiers', name: 'Relax' }],
    })
    const id = await stays.submit(room, { do: 'hold' })
    await worker.line((line) => line === `holds ${id}`)
    await ear.reached(id, 'running')
    // It may be cut before anybody waits for it.
    const question = stops.admin
      .call('POST', '/api/jobs/next', { worker: 'nobody', waitMs: 25_000 })
      .catch(() => undefined)
    const stoppedAt = performance.now()
    process.kill(servers[0]!.child.pid, 'SIGTERM')
    await servers[0]!.child.ended
    // Well below the 30 s for which jobs of its own pool would be waited for.
    expect(performance.now() - stoppedAt).toBeLessThan(20_000)
    await question
    await worker.line((line) => line.includes('carries on with 1 job'))
    await stays.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${id}/cancel`)
    await ear.reached(id, 'cancelled')
    expect((await stays.job(room, id)).attempts).toHaveLength(1)
    expect(ledger.jobs()).toEqual([id])
    await behind.close()
    await door.close()
  })
})
