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
]

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
