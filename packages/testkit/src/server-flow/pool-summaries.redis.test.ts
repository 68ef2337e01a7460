import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openRedisStore } from '@millrace/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from './flow-scene.ts'

interface Stats {
  readonly workers: number
  readonly freeSlots: number
  readonly runMsP50: number | null
}

let redis: RedisProcess
let servers: [ServerProcess, ServerProcess]
let [here, there]: FlowScene[] = []

beforeEach(async () => {
  redis = await RedisProcess.start()
  const place = ['--redis', `redis://${redis.host}:${redis.port}`, '--poll-interval-ms', '100']
  const args = ['--data-dir', await makeTempDir('summaries'), ...place]
  servers = [await startServerProcess(args), await startServerProcess(args)]
  ;[here, there] = servers.map(({ url, admin }) => new FlowScene(url, admin.token ?? ''))
})
afterEach(async () => {
  await here?.close()
  await there?.close()
  for (const { child } of servers) await child.kill()
  await redis.stop()
})

const both = (): [FlowScene, FlowScene] => [here!, there!]

const stats = (scene: FlowScene, room: string): Promise<Stats> =>
  scene.admin.get<Stats>(`/api/rooms/${room}/extensions/room/modifiers/Relax/stats`)

/** What another replica has to say is a second old at most; asked until it is as the test wants it. */
async function until<Answer>(
  ask: () => Promise<Answer>,
  holds: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (holds(answer)) return answer
  }
}

/** Asks both until both say the same of it. */
async function agreed<Answer>(ask: (scene: FlowScene) => Promise<Answer>): Promise<Answer> {
  const [one] = await until(
    () => Promise.all(both().map(ask)),
    ([a, b]) => JSON.stringify(a) === JSON.stringify(b),
  )
  return one as Answer
}

describe('two replicas, asked about each other’s workers', () => {
  it('[M101] give the same reason, place, estimate and figures for a job that waits', {
    timeout: 60_000,
  }, async () => {
    const [one, other] = both()
    const room = await one.newRoom()
    const worker = await one.worker([{ room }], { slots: 2 })
    const first = await one.submit(room)
    const job = await worker.assigned.next((each) => each.id === first)
    await worker.started(job)
    await worker.completed(job)
    const ids = await other.submitMany(room, 4)
    const held = [await worker.assigned.next(), await worker.assigned.next()]
    for (const each of held) await worker.started(each)
    const waits = ids.at(-1) ?? ''

    await until(
      () => stats(other, room),
      ({ freeSlots, runMsP50 }) => freeSlots === 0 && runMsP50 !== null,
    )
    const why = await agreed((scene) => scene.why(room, waits))
    expect(why).toMatchObject({ reason: 'all_slots_busy', details: { scarce: 'slots' }, ahead: 1 })
    expect(why.estimateMs).not.toBeNull()
    expect(await agreed((scene) => stats(scene, room))).toMatchObject({ workers: 1, freeSlots: 0 })
    const seen = (scene: FlowScene) =>
      scene.admin.get<{ free: object; running: number }>(`/api/workers/${worker.id}`)
    expect(await seen(other)).toMatchObject({ free: { slots: 0 }, running: 2 })

    await one.admin.expect(200, 'POST', `/api/workers/${worker.id}/drain`)
    const drained = await until(
      () => other.why(room, waits),
      ({ reason }) => reason === 'workers_unavailable',
    )
    expect(drained).toEqual(await one.why(room, waits))
    expect(drained.details).toMatchObject({ draining: 1, unhealthy: 0 })
  })

  it('[M102] count a worker once that moves from a replica that was killed, and forget the others of it', {
    timeout: 90_000,
  }, async () => {
    const [one, other] = both()
    const room = await one.newRoom()
    const [moves, stays] = [
      await one.worker([{ room }], { slots: 3 }),
      await one.worker([{ room }], { slots: 5 }),
    ]
    await until(
      () => stats(other, room),
      ({ freeSlots }) => freeSlots === 8,
    )
    await servers[0].child.kill()
    const standstill = monitorEventLoopDelay()
    standstill.enable()
    const killedAt = performance.now()
    await other.worker([{ room }], { id: moves.id, slots: 3 })
    expect((await stats(other, room)).freeSlots).toBe(8)
    await until(
      () => stats(other, room),
      ({ freeSlots }) => freeSlots === 3,
    )
    // Within the life of a summary; a loaded machine takes a little more, and one that stood still as much longer.
    expect(performance.now() - killedAt - standstill.max / 1e6).toBeLessThan(20_000)
    standstill.disable()
    expect(await other.admin.get(`/api/workers/${stays.id}`)).toMatchObject({ running: 0 })
    // Nothing of it is left in the store either.
    const store = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }] })
    const told = () => store.list({ partition: 'system', lists: ['pools'], order: 'oldest', limit: 10 })
    await until(told, (summaries) => summaries.length === 1)
    await store.close()
  })

  it('[M102] forget at once what a replica takes back that stops in order, and a worker that moved', {
    timeout: 60_000,
  }, async () => {
    const [one, other] = both()
    const room = await one.newRoom()
    const worker = await one.worker([{ room }], { slots: 4 })
    const staying = await one.worker([{ room }], { slots: 2 })
    await until(
      () => stats(other, room),
      ({ freeSlots }) => freeSlots === 6,
    )
    worker.close()
    await other.worker([{ room }], { id: worker.id, slots: 4 })
    expect((await agreed((scene) => stats(scene, room))).freeSlots).toBe(6)
    process.kill(servers[0].child.pid, 'SIGTERM')
    await servers[0].child.ended
    expect((await stats(other, room)).freeSlots).toBe(4)
    expect(staying.socket.connected).toBe(false)
  })
})
