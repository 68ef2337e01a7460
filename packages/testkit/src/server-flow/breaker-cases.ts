// Extensions that keep failing: their jobs wait, one is tried when the time has come, and its end decides.

import { randomUUID } from 'node:crypto'
import type { ExtensionDetail, ExtensionStats } from '@millrace/protocol'
import { expect } from 'vitest'
import { tell } from './checked-client.ts'
import type { ClockCase, ClockScene } from './clock-scene.ts'
import type { FlowScene } from './flow-scene.ts'
import type { RoomEar } from './room-ear.ts'
import type { RawWorker } from './worker/raw-worker.ts'
import { registrationOf } from './worker/raw-worker.ts'

type SeenBreaker = ExtensionDetail['breaker']
type State = SeenBreaker['state']

const once = { policy: { maxAttempts: 1 } }

export function extensionPath(room: string, scope = 'room'): string {
  return `/api/rooms/${room}/extensions/${scope}/modifiers/Relax`
}

export function becomes(scene: FlowScene, ear: RoomEar, state: State, path: string): Promise<SeenBreaker> {
  return breakerWhen(scene, ear, path, (breaker) => breaker.state === state)
}

/** Every change of a breaker is told, so nobody has to ask again and again. */
export async function breakerWhen(
  scene: FlowScene,
  ear: RoomEar,
  path: string,
  holds: (breaker: SeenBreaker) => boolean,
): Promise<SeenBreaker> {
  for (;;) {
    const { breaker } = await scene.admin.get<ExtensionDetail>(path)
    if (holds(breaker)) return breaker
    await ear.heard.next(({ event }) => event === 'schema:invalidated')
  }
}

export async function failOne(scene: FlowScene, room: string, worker: RawWorker): Promise<void> {
  const id = await scene.submit(room, {}, once)
  expect(await worker.failed(await worker.assigned.next((job) => job.id === id), 'broken')).toBe('failed')
}

/** Five in a row, which is what it takes. */
export async function breakIt(
  scene: FlowScene,
  room: string,
  ear: RoomEar,
  worker: RawWorker,
): Promise<void> {
  for (let failures = 0; failures < 5; failures += 1) await failOne(scene, room, worker)
  await becomes(scene, ear, 'open', extensionPath(room))
}

async function brokenRoom(scene: ClockScene, slots = 1, policy = {}) {
  const room = await scene.newRoom()
  const ear = await scene.ear(room)
  const worker = await scene.worker([{ room, policy }], { slots })
  await breakIt(scene, room, ear, worker)
  return { room, ear, worker }
}

/** Nobody is given anything: a worker that asks is told so, after the server has looked for it. */
async function givesNothing(scene: ClockScene, room: string): Promise<void> {
  const id = scene.newName('puller')
  await scene.admin.expect(200, 'POST', '/api/workers/register', registrationOf({ id }, [{ room }]))
  await scene.admin.expect(204, 'POST', '/api/jobs/next', { worker: id, waitMs: 300 })
  await scene.admin.expect(200, 'POST', `/api/workers/${id}/disconnect`)
}

/** What a server leaves behind that is killed after it wrote that a job is tried and before it claimed one. */
async function loseProbe({ server: { store }, now }: ClockScene, room: string, until: number): Promise<void> {
  const key = 'extension/room/modifiers/Relax'
  const [record] = await store.read(room, [key])
  if (!record) throw new Error(`${key} is not there`)
  const breaker = { state: 'probing', probe: 'of-a-dead-server', probeUntil: until, since: now }
  const head = JSON.stringify({ ...(JSON.parse(record.head) as object), breaker })
  const told = { type: 'schema:invalidated', scope: 'room', category: 'modifiers', name: 'Relax' }
  await store.commit({
    id: randomUUID(),
    partition: room,
    put: [{ key, expect: record.version, head, lists: ['extensions'] }],
    announce: [{ subject: key, event: JSON.stringify(told) }],
  })
}

export const breakerCases: readonly ClockCase[] = [
  {
    title:
      '[B19] many failures that are reported together after successes leave it closed, those after them open it',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }], { slots: 20 })
      await scene.submitMany(room, 20)
      const jobs = await worker.assigned.take(20)
      await scene.jump(10)
      const named = jobs.map(({ id: job, token }) => ({ room, job, token, started: true }))
      const well = named.slice(0, 10).map((one) => ({ ...one, result: {} }))
      const badly = named.slice(10).map((one) => ({ ...one, error: { message: 'broken' }, retryable: false }))
      await tell(worker.socket, 'job:completed', well)
      await tell(worker.socket, 'job:failed', badly)
      expect((await scene.admin.get<ExtensionDetail>(extensionPath(room))).breaker.state).toBe('closed')
      await breakIt(scene, room, ear, worker)
    },
  },
  {
    title:
      '[M71] five failures in a row open the breaker: jobs wait and say until when, free slots or not, pushed or pulled',
    run: async (scene) => {
      const { room, worker } = await brokenRoom(scene)
      const until = scene.now + 60_000
      const [first, second] = [await scene.submit(room), await scene.submit(room)]
      for (const id of [first, second]) {
        expect(await scene.why(room, id)).toMatchObject({
          status: 'pending',
          reason: 'breaker_open',
          details: { until },
          sentence: expect.stringContaining(`The breaker is open until ${new Date(until).toISOString()}`),
        })
      }
      await scene.jump(59_999)
      await givesNothing(scene, room)
      expect(worker.assigned.all).toHaveLength(5)
    },
  },
  {
    title: '[M71] what runs when the breaker opens goes on, and its end changes nothing',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }], { slots: 2 })
      await scene.submit(room)
      const running = await worker.assigned.next()
      await worker.started(running)
      await breakIt(scene, room, ear, worker)
      expect(await worker.completed(running)).toBe('completed')
      const waiting = await scene.submit(room)
      expect(await scene.why(room, waiting)).toMatchObject({ reason: 'breaker_open' })
    },
  },
  {
    title:
      '[M72] when its time has passed one job is tried, the others wait for it, and its success lets all go',
    run: async (scene) => {
      const { room, ear, worker } = await brokenRoom(scene, 3)
      const [first, second, third] = await scene.submitMany(room, 3)
      await scene.jump(60_000)
      const probe = await worker.assigned.next()
      expect(probe.id).toBe(first)
      await becomes(scene, ear, 'probing', extensionPath(room))
      expect(await scene.why(room, second ?? '')).toMatchObject({ reason: 'breaker_probing' })
      await givesNothing(scene, room)
      expect(worker.assigned.all).toHaveLength(6)
      expect(await worker.completed(probe)).toBe('completed')
      expect((await worker.assigned.take(2)).map(({ id }) => id)).toEqual([second, third])
      await becomes(scene, ear, 'closed', extensionPath(room))
    },
  },
  {
    title: '[M72] a failure of the job that is tried opens the breaker again for the full time',
    run: async (scene) => {
      const { room, ear, worker } = await brokenRoom(scene, 3)
      const [, second] = [await scene.submit(room, {}, once), await scene.submit(room)]
      await scene.jump(70_000)
      const until = scene.now + 60_000
      expect(await worker.failed(await worker.assigned.next(), 'still broken')).toBe('failed')
      expect(await becomes(scene, ear, 'open', extensionPath(room))).toMatchObject({ until })
      expect(await scene.why(room, second)).toMatchObject({ reason: 'breaker_open', details: { until } })
      await givesNothing(scene, room)
      expect(worker.assigned.all).toHaveLength(6)
    },
  },
  {
    title: '[M72] a submit that finds the breaker half-open is the one that is tried',
    run: async (scene) => {
      const { room, ear, worker } = await brokenRoom(scene, 2)
      await scene.jump(60_000)
      expect(await scene.admin.get(extensionPath(room))).toMatchObject({ breaker: { state: 'half_open' } })
      const [first] = [await scene.submit(room), await scene.submit(room)]
      const probe = await worker.assigned.next()
      expect(probe.id).toBe(first)
      await becomes(scene, ear, 'probing', extensionPath(room))
      await givesNothing(scene, room)
      expect(worker.assigned.all).toHaveLength(6)
    },
  },
  {
    title: '[M73] a job that is tried and rejected, or whose worker is lost, makes room for another at once',
    run: async (scene) => {
      // What was rejected stands back for a part of this that is drawn: of little it may be nothing.
      const policy = { job: { backoffBaseMs: 3_600_000, backoffCapMs: 3_600_000 } }
      const { room, ear, worker } = await brokenRoom(scene, 1, policy)
      const [, second] = await scene.submitMany(room, 2)
      await scene.jump(60_000)
      expect(await worker.rejected(await worker.assigned.next(), 'not now')).toBe('pending')
      const again = await worker.assigned.next()
      expect(again.id).toBe(second)
      await scene.admin.expect(200, 'POST', `/api/workers/${worker.id}/disconnect`)
      const other = await scene.worker([{ room, policy }])
      const last = await other.assigned.next()
      expect(last).toMatchObject({ id: second, charged: 0 })
      expect(await other.completed(last)).toBe('completed')
      await becomes(scene, ear, 'closed', extensionPath(room))
    },
  },
  {
    title: '[M73] a job that is tried and hangs is ended by its limit, and counts as failed',
    run: async (scene) => {
      const { room, ear, worker } = await brokenRoom(scene)
      await scene.submit(room, {}, { policy: { maxAttempts: 1, runLimitMs: 1_000 } })
      await scene.jump(60_000)
      const probe = await worker.assigned.next()
      await worker.started(probe)
      await becomes(scene, ear, 'probing', extensionPath(room))
      await scene.jump(1_000)
      const until = scene.now + 60_000
      expect(await becomes(scene, ear, 'open', extensionPath(room))).toMatchObject({ until })
    },
  },
  {
    title: '[M73] a job that was tried and is heard of no more is replaced when its time is over',
    run: async (scene) => {
      const { room, ear, worker } = await brokenRoom(scene)
      const waiting = await scene.submit(room)
      await scene.jump(1_000)
      await loseProbe(scene, room, scene.now + 90_000)
      await becomes(scene, ear, 'probing', extensionPath(room))
      await scene.jump(89_999)
      expect(await scene.why(room, waiting)).toMatchObject({ reason: 'breaker_probing' })
      expect(worker.assigned.all).toHaveLength(5)
      await scene.jump(1)
      expect((await worker.assigned.next((job) => job.id === waiting)).id).toBe(waiting)
    },
  },
  {
    title:
      '[M74] lost workers, rejections, missed acceptances and cancels open nothing, and a success starts anew',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room, policy: { job: { acceptMs: 1_000, backoffBaseMs: 0 } } }])
      const id = await scene.submit(room)
      for (let times = 0; times < 3; times += 1)
        expect(await worker.rejected(await worker.assigned.next(), 'not now')).toBe('pending')
      for (let times = 0; times < 3; times += 1) {
        await worker.assigned.next()
        await scene.jump(1_000)
      }
      const taken = await worker.assigned.next()
      await worker.started(taken)
      await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${id}/cancel`)
      await scene.jump(5_000)
      await ear.reached(id, 'cancelled')
      for (let times = 0; times < 4; times += 1) await failOne(scene, room, worker)
      await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      for (let times = 0; times < 4; times += 1) await failOne(scene, room, worker)
      await scene.submit(room)
      expect(await worker.completed(await worker.assigned.next())).toBe('completed')
      expect(await scene.admin.get(extensionPath(room))).toMatchObject({
        breaker: { state: 'closed', since: null, until: null },
      })
    },
  },
  {
    title: '[M75] a reset closes the breaker at once and forgets the count; it takes the right to pause',
    run: async (scene) => {
      const { room, ear, worker } = await brokenRoom(scene)
      const waiting = await scene.submit(room, {}, once)
      const path = `${extensionPath(room)}/reset-breaker`
      await scene.jump(1_000)
      const stranger = await scene.user()
      expect((await stranger.refused(403, 'POST', path)).code).toBe('extension_forbidden')
      expect(await scene.admin.expect<ExtensionDetail>(200, 'POST', path)).toMatchObject({
        breaker: { state: 'closed', since: scene.now, until: null },
      })
      const job = await worker.assigned.next()
      expect(job.id).toBe(waiting)
      await worker.failed(job, 'still broken')
      for (let times = 0; times < 3; times += 1) await failOne(scene, room, worker)
      await scene.admin.expect(200, 'POST', path)
      for (let times = 0; times < 4; times += 1) await failOne(scene, room, worker)
      expect(await scene.admin.get(extensionPath(room))).toMatchObject({ breaker: { state: 'closed' } })
      await failOne(scene, room, worker)
      await becomes(scene, ear, 'open', extensionPath(room))
    },
  },
  {
    title: '[M76] a breaker is seen in lists, figures and metrics, and each change of it is told to the room',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }])
      for (let times = 0; times < 4; times += 1) await failOne(scene, room, worker)
      const before = ear.heard.all.filter(({ event }) => event === 'schema:invalidated').length
      await failOne(scene, room, worker)
      await ear.heard.until(
        (all) => all.filter(({ event }) => event === 'schema:invalidated').length > before,
      )
      const breaker = { state: 'open', since: scene.now, until: scene.now + 60_000 }
      const list = `/api/rooms/${room}/extensions`
      expect(await scene.admin.get(list)).toMatchObject({ extensions: [{ breaker }] })
      expect(await scene.admin.get(extensionPath(room))).toMatchObject({ breaker })
      expect(await scene.admin.get<ExtensionStats>(`${extensionPath(room)}/stats`)).toMatchObject({ breaker })
      const overview = await scene.admin.get<{ extensions: { room: string }[] }>('/api/extensions/overview')
      expect(overview.extensions.find((one) => one.room === room)).toMatchObject({ breaker })
      expect(await scene.admin.get<string>('/metrics')).toContain(
        'millrace_breaker_changes_total{to="open"} 1',
      )
      expect(scene.server.said).toContainEqual(expect.stringMatching(`room/modifiers/Relax in ${room}: open`))
    },
  },
  {
    title: '[M77] a global extension has one breaker and one job that is tried, whichever room they are in',
    run: async (scene) => {
      const [here, there] = [await scene.newRoom(), await scene.newRoom()]
      const worker = await scene.worker([{ scope: 'global' }], { slots: 4 })
      const ear = await scene.ear(here)
      await ear.socket.emitWithAck('system:join', {})
      const path = extensionPath(here, 'global')
      for (const room of [here, there, here, there, here]) await failOne(scene, room, worker)
      await becomes(scene, ear, 'open', path)
      const waiting = [await scene.submit(there), await scene.submit(here)]
      for (const [at, room] of [there, here].entries())
        expect(await scene.why(room, waiting[at] ?? '')).toMatchObject({ reason: 'breaker_open' })
      await scene.jump(60_000)
      const probe = await worker.assigned.next()
      await becomes(scene, ear, 'probing', path)
      const other = probe.room === here ? there : here
      expect(await scene.why(other, waiting.find((id) => id !== probe.id) ?? '')).toMatchObject({
        reason: 'breaker_probing',
      })
      expect(worker.assigned.all).toHaveLength(6)
      await worker.completed(probe)
      expect((await worker.assigned.next()).room).toBe(other)
    },
  },
  {
    title: '[M78] an extension may choose how many failures open its breaker, and for how long',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const policy = { breaker: { failuresToOpen: 2, openMs: 5_000 } }
      const worker = await scene.worker([{ room, policy }])
      await failOne(scene, room, worker)
      await failOne(scene, room, worker)
      const until = scene.now + 5_000
      expect(await becomes(scene, ear, 'open', extensionPath(room))).toMatchObject({ until })
    },
  },
]
