// Following the log of a job: join it, read what is there, and read again after the last line whenever the connection broke.

import type { LogLine } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import type { RoomEar } from './room-ear.ts'

export const logCases: readonly FlowCase[] = [
  {
    title:
      '[M51] a follower who joins at any time, and whose connection breaks, has every line once and in order',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      let logged = 0
      const log = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) await worker.log(job, `line ${logged++}`)
      }

      const follower = new Follower(scene, room, id)
      await log(2)
      for (let round = 0; round < 4; round++) {
        const meanwhile = log(10)
        await follower.connect()
        await meanwhile
        await log(1)
        await follower.heard(logged - 1)
        follower.disconnect()
        await log(2)
      }
      await follower.connect()
      await log(1)
      await worker.completed(job)
      await follower.ended()
      expect(follower.texts()).toEqual(Array.from({ length: logged }, (_, n) => `line ${n}`))
    },
  },
  {
    title: '[M51] when a job is told to have ended, all of its lines were told before',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      const ear = await scene.ear(room, scene.admin, id)
      await worker.started(job)
      await Promise.all(['one', 'two', 'three'].map((line) => worker.log(job, line)))
      await worker.completed(job)
      await ear.reached(id, 'completed')
      const heard = ear.heard.all
      const ended = heard.findIndex(({ payload }) => JSON.stringify(payload).includes('"completed"'))
      const lines = heard
        .slice(0, ended)
        .flatMap(({ event, payload }) => (event === 'job:log' ? linesOf(payload) : []))
      expect(lines.map(({ number }) => number)).toEqual([0, 1, 2])
    },
  },
  {
    title: '[M180] lines that are sent again with their number are kept and told once, and without one again',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      const ear = await scene.ear(room, scene.admin, id)
      await worker.started(job)
      expect(await worker.logFrom(job, 0, 'one', 'two')).toBe('running')
      expect(await worker.logFrom(job, 0, 'one', 'two')).toBe('running')
      await worker.logFrom(job, 1, 'two', 'three')
      await worker.logFrom(job, 5, 'six')
      await worker.logFrom(job, 2, 'three', 'four')
      const once = ['one', 'two', 'three', 'six', 'four']
      expect(await textsOf(scene, room, id)).toEqual(once)
      for (let time = 0; time < 2; time += 1) await worker.log(job, 'unnumbered')
      expect(await textsOf(scene, room, id)).toEqual([...once, 'unnumbered', 'unnumbered'])
      await worker.completed(job)
      await ear.reached(id, 'completed')
      const told = ear.heard.all.flatMap(({ event, payload }) =>
        event === 'job:log' ? linesOf(payload) : [],
      )
      expect(told.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5, 6])
    },
  },
  {
    title: '[M180] an attempt that has ended is told that its lines were heard, and the next one counts anew',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room, policy: { job: { backoffBaseMs: 0 } } }])
      const id = await scene.submit(room)
      const first = await worker.assigned.next()
      await worker.started(first)
      await worker.logFrom(first, 0, 'one', 'two')
      await worker.failed(first, 'no')
      const second = await worker.assigned.next()
      expect(second.token).not.toBe(first.token)
      expect(await worker.logFrom(first, 0, 'one', 'two')).toBe('running')
      expect(await worker.logFrom(first, 2, 'three')).toBe('attempt_superseded')
      await worker.started(second)
      await worker.logFrom(second, 0, 'once more')
      expect(await worker.logFrom(first, 0, 'one', 'two')).toBe('attempt_superseded')
      await worker.completed(second)
      expect(await worker.logFrom(second, 0, 'once more')).toBe('running')
      expect(await textsOf(scene, room, id)).toEqual(['one', 'two', 'once more'])
    },
  },
  {
    title:
      '[M181] a status that is sent again by REST with its lines is answered alike, and they are kept once',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const { token } = await worker.assigned.next()
      const put = async (report: Record<string, unknown>): Promise<string> => {
        const path = `/api/rooms/${room}/jobs/${id}/status`
        return (await scene.admin.expect<{ status: string }>(200, 'PUT', path, { token, ...report })).status
      }
      for (let time = 0; time < 2; time += 1)
        expect(await put({ status: 'running', log: ['one', 'two'], first: 0 })).toBe('running')
      for (let time = 0; time < 2; time += 1)
        expect(await put({ status: 'completed', log: ['two', 'three'], first: 1 })).toBe('completed')
      expect(await put({ status: 'completed', log: ['unnumbered'] })).toBe('completed')
      expect(await textsOf(scene, room, id)).toEqual(['one', 'two', 'three'])
    },
  },
]

async function textsOf(scene: FlowScene, room: string, id: string): Promise<readonly string[]> {
  const { lines } = await scene.admin.get<{ lines: LogLine[] }>(`/api/rooms/${room}/jobs/${id}/logs`)
  return lines.map(({ text }) => text)
}

/** As a command line would do it: whatever arrives twice is known by its number. */
class Follower {
  readonly #scene: FlowScene
  readonly #room: string
  readonly #job: string
  readonly #lines: LogLine[] = []
  #ear: RoomEar | null = null

  constructor(scene: FlowScene, room: string, job: string) {
    this.#scene = scene
    this.#room = room
    this.#job = job
  }

  /** Joins first and reads then, or what is logged in between would be missed. */
  async connect(): Promise<void> {
    this.#ear = await this.#scene.ear(this.#room, this.#scene.admin, this.#job)
    const after = this.#lines.at(-1)?.number ?? -1
    const path = `/api/rooms/${this.#room}/jobs/${this.#job}/logs?after=${after}`
    for (const line of (await this.#scene.admin.get<{ lines: LogLine[] }>(path)).lines) this.#add(line)
  }

  disconnect(): void {
    this.#collect()
    this.#ear?.socket.close()
  }

  async heard(number: number): Promise<void> {
    await this.#ear?.heard.next(({ payload }) => linesOf(payload).some((line) => line.number === number))
  }

  async ended(): Promise<void> {
    await this.#ear?.reached(this.#job, 'completed')
  }

  texts(): readonly string[] {
    this.#collect()
    return this.#lines.map(({ text }) => text)
  }

  #collect(): void {
    for (const { event, payload } of this.#ear?.heard.all ?? [])
      if (event === 'job:log') for (const line of linesOf(payload)) this.#add(line)
  }

  #add(line: LogLine): void {
    const next = (this.#lines.at(-1)?.number ?? -1) + 1
    if (line.number < next) return
    expect(line.number).toBe(next)
    this.#lines.push(line)
  }
}

function linesOf(payload: Record<string, unknown>): readonly LogLine[] {
  return (payload.lines as LogLine[] | undefined) ?? []
}
