// New jobs that come faster than they go: they are refused with a time to come back, and everything else goes on.

import type { JobStateChanged, Submitted } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowScene } from '../server-flow/flow-scene.ts'
import type { RawWorker } from '../server-flow/worker/raw-worker.ts'
import { type Knock, knock } from './edge-scene.ts'

export interface IntakeCase {
  readonly title: string
  readonly run: (scene: FlowScene) => Promise<void>
}

export const roomMaxPending = 400
const bulk = 100

const pathOf = (room: string): string => `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
const some = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ data: { n } }))

function submit({ url, admin }: FlowScene, room: string, jobs: readonly object[]): Promise<Knock> {
  return knock(url, 'POST', pathOf(room), { authorization: `Bearer ${admin.token}` }, { jobs })
}

/** A look at the store that overlaps a claim counts a job twice until the next: a room may seem full for a moment. */
async function takenIn(scene: FlowScene, room: string, count: number): Promise<void> {
  await expect
    .poll(() => submit(scene, room, some(count)), { timeout: 20_000 })
    .toMatchObject({ status: 201 })
}

export const intakeCases: readonly IntakeCase[] = [
  {
    title:
      '[M120] a room that is full refuses one more, and takes it when one has gone; other rooms are not full',
    run: async (scene) => {
      const [room, other] = [await scene.newRoom(), await scene.newRoom()]
      const worker = await scene.worker([{ room }])
      await scene.worker([{ room: other }])
      await scene.submit(room)
      const job = await worker.assigned.next()
      await takenIn(scene, room, roomMaxPending - 1)
      expect(await submit(scene, room, some(2))).toMatchObject({ status: 429, code: 'queue_full' })
      await takenIn(scene, room, 1)
      const refused = await submit(scene, room, some(1))
      expect(refused).toMatchObject({ status: 429, code: 'queue_full', retryAfter: 5 })
      expect(refused.detail).toContain(`${roomMaxPending} (roomMaxPending)`)
      expect(await submit(scene, other, some(1))).toMatchObject({ status: 201 })
      await worker.completed(job)
      await worker.assigned.next()
      await takenIn(scene, room, 1)
      const again = await scene.admin.refused(429, 'POST', `/api/rooms/${room}/jobs/${job.id}/retry`)
      expect(again.code).toBe('queue_full')
    },
  },
  {
    title: '[M120] delayed jobs stand in no queue and are counted all the same',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      const notBefore = Date.now() + 3_600_000
      const delayed = some(bulk).map((one) => ({ ...one, notBefore }))
      for (let count = 0; count < roomMaxPending; count += bulk)
        expect(await submit(scene, room, delayed)).toMatchObject({ status: 201 })
      const refused = await submit(scene, room, delayed.slice(0, 1))
      expect(refused).toMatchObject({ status: 429, code: 'queue_full' })
    },
  },
  {
    title:
      '[M122] however many are refused, reports, beats, cancels and reads are answered, and what was taken in is done',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 20 })
      const ended = await endsIn(scene, room)
      const flood = new Flood(scene, room)
      await expect.poll(() => flood.refused, { timeout: 20_000 }).toBeGreaterThan(0)
      await workOn(scene, room, worker, flood)
      await flood.end()
      expect(flood.unexpected).toEqual([])
      expect(flood.refused).toBeGreaterThan(10)
      worker.work()
      const left = (): readonly string[] => flood.accepted.filter((id) => !ended.has(id))
      await expect.poll(left, { timeout: 50_000 }).toEqual([])
    },
  },
]

/** Submits as fast as it is answered, whatever the answer. */
class Flood {
  readonly accepted: string[] = []
  readonly #answers = new Map<number, number>()
  readonly #submitters: readonly Promise<void>[]
  #isOver = false

  constructor(scene: FlowScene, room: string) {
    this.#submitters = Array.from({ length: 3 }, () => this.#submit(scene, room))
  }

  get refused(): number {
    return (this.#answers.get(429) ?? 0) + (this.#answers.get(503) ?? 0)
  }

  get unexpected(): readonly number[] {
    return [...this.#answers.keys()].filter((status) => ![201, 429, 503].includes(status))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#submitters)
  }

  async #submit({ admin }: FlowScene, room: string): Promise<void> {
    while (!this.#isOver) {
      const body = { jobs: some(bulk) }
      const answer = await admin.call<{ jobs: Submitted[] }>('POST', pathOf(room), body)
      this.#answers.set(answer.status, (this.#answers.get(answer.status) ?? 0) + 1)
      if (answer.status === 201) this.accepted.push(...answer.body.jobs.map(({ id }) => id))
    }
  }
}

/** Until many jobs are done and the worker was asked for a sign of life in the middle of it. */
async function workOn(scene: FlowScene, room: string, worker: RawWorker, flood: Flood): Promise<void> {
  const beatsBefore = worker.beats.all.length
  for (let done = 1; done <= 150 || worker.beats.all.length === beatsBefore; done += 1) {
    const job = await worker.assigned.next()
    expect(await worker.completed(job, { done })).toBe('completed')
    if (done % 25 !== 0) continue
    expect((await scene.job(room, job.id)).status).toBe('completed')
    await scene.admin.get(`/api/rooms/${room}/jobs?limit=10`)
    const cancelled = await scene.admin.call(
      'POST',
      `/api/rooms/${room}/jobs/${flood.accepted.at(-1)}/cancel`,
    )
    expect([200, 202, 409]).toContain(cancelled.status)
  }
}

/** Of a room from now on. */
async function endsIn(scene: FlowScene, room: string): Promise<ReadonlySet<string>> {
  const ended = new Set<string>()
  const { socket } = await scene.ear(room)
  socket.on('job:state_changed', ({ events }: JobStateChanged) => {
    for (const { id, status } of events) if (status === 'completed' || status === 'cancelled') ended.add(id)
  })
  return ended
}
