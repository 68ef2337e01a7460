// The room of somebody who does nothing wrong. It has a secret, a job that waits, one that is done, and a lock, all of
// which must be there in the end as they were, and a worker whose jobs must all go on being done.

import { fileURLToPath } from 'node:url'
import type { JobView, LockView } from '@millrace/protocol'
import { type ChildLines, startChild } from '../process/child-process.ts'
import type { ApiClient } from '../server/api-client.ts'
import type { CanaryTask } from './canary-main.ts'

const main = fileURLToPath(new URL('./canary-main.ts', import.meta.url))
const everyMs = 30
const farAhead = 86_400_000

/** What must not be seen outside of the room. */
export const secret = 'a-canary-only-knows-this'

export class Canary {
  readonly room: string
  readonly worker: string
  /** Submitted before anything else, and not before tomorrow's turn. */
  readonly waiting: string
  readonly done: string
  readonly lockFence: number
  readonly #owner: ApiClient
  readonly #child: ChildLines

  private constructor(
    owner: ApiClient,
    child: ChildLines,
    names: Pick<Canary, 'room' | 'worker' | 'waiting' | 'done' | 'lockFence'>,
  ) {
    this.#owner = owner
    this.#child = child
    this.room = names.room
    this.worker = names.worker
    this.waiting = names.waiting
    this.done = names.done
    this.lockFence = names.lockFence
  }

  static async start(owner: ApiClient, room: string): Promise<Canary> {
    await owner.expect(201, 'POST', '/api/rooms', { name: room, access: 'private' })
    const task: CanaryTask = { url: owner.url, token: owner.token ?? '', room, everyMs }
    const child = startChild(process.execPath, ['--no-warnings', main, JSON.stringify(task)])
    const worker = (await child.line((line) => line.startsWith('worker '))).split(' ')[1] ?? ''
    await child.line((line) => line.startsWith('done '))
    const submit = async (more: object): Promise<string> => {
      const body = { category: 'canary', extension: 'Echo', data: { n: 1, secret }, ...more }
      return (await owner.expect<{ id: string }>(201, 'POST', `/api/rooms/${room}/jobs`, body)).id
    }
    const waiting = await submit({ notBefore: Date.now() + farAhead })
    const done = await submit({})
    const path = `/api/rooms/${room}/locks/secret/acquire`
    const { fence } = await owner.expect<LockView>(200, 'POST', path, { ttlMs: 300_000, message: secret })
    const canary = new Canary(owner, child, { room, worker, waiting, done, lockFence: fence })
    await canary.next(1)
    return canary
  }

  /** How many of its jobs were begun so far; they are numbered from 0. */
  get begun(): number {
    return this.#child.lines.filter((line) => line.startsWith('begun ')).length
  }

  /** How long each of these jobs took from submit to the word that it is done, in ms; resolves when all of them are. */
  async times(from: number, to: number): Promise<readonly number[]> {
    for (;;) {
      const seen = this.#child.lines.length
      const done = this.#done()
      const missing = Array.from({ length: to - from }, (_, at) => from + at).filter((n) => !done.has(n))
      if (missing.length === 0) break
      if (this.troubles.length > 0) throw new Error(`the canary is in trouble: ${this.troubles.join('; ')}`)
      await this.#child.count(seen + 1)
    }
    const done = this.#done()
    return Array.from({ length: to - from }, (_, at) => done.get(from + at) ?? Number.NaN)
  }

  /** The same of so many jobs that begin from now on. */
  next(count: number): Promise<readonly number[]> {
    const from = this.begun
    return this.times(from, from + count)
  }

  #done(): ReadonlyMap<number, number> {
    const done = this.#child.lines.filter((line) => line.startsWith('done ')).map((line) => line.split(' '))
    return new Map(done.map(([, n, ms]) => [Number(n), Number(ms)]))
  }

  get troubles(): readonly string[] {
    return this.#child.lines.filter((line) => line.startsWith('trouble'))
  }

  /** What there is to be seen of it from inside, in the words of its owner. */
  async standing(): Promise<Record<string, unknown>> {
    const of = (path: string): Promise<Record<string, unknown>> =>
      this.#owner.expect(200, 'GET', `/api/rooms/${this.room}${path}`)
    const [waiting, done] = [await of(`/jobs/${this.waiting}`), await of(`/jobs/${this.done}`)]
    const { locks } = (await of('/locks')) as unknown as { locks: LockView[] }
    const { paused } = await of('/extensions/room/canary/Echo')
    const { members } = await of('')
    const jobs = [waiting, done].map(({ status, data }) => ({ status, data }) as Partial<JobView>)
    const { status } = await this.#owner.expect(200, 'GET', `/api/workers/${this.worker}`)
    return {
      jobs,
      paused,
      members,
      worker: status,
      locks: locks.map(({ target, fence }) => ({ target, fence })),
    }
  }

  close(): Promise<void> {
    return this.#child.kill()
  }
}
