// What the fuzz plays on: the access scene with things that may be broken, sessions that come back when they were ended,
// and the question whether the server is still well.

import { randomInt } from 'node:crypto'
import type { AttemptRef, WorkerView } from '@millrace/protocol'
import { expect } from 'vitest'
import { AccessScene, names, probe, rooms } from './access-scene.ts'
import { HttpExchange } from './http-exchange.ts'
import { guestNamed } from './route-requests.ts'
import { attemptHint, type Hints } from './schema-arbitrary.ts'
import type { Who } from './who.ts'

export const seed: number = Number(process.env.MILLRACE_SEED ?? randomInt(2 ** 31))

/** How many times as much as in a usual run. */
export const patience: number = Number(process.env.MILLRACE_FUZZ ?? 1)

export const fuzzers: readonly Who[] = ['member', 'admin', 'worker']

export class FuzzScene {
  readonly access: AccessScene
  readonly http: HttpExchange
  readonly #tokens = new Map<Who, string>()

  private constructor(access: AccessScene) {
    this.access = access
    this.http = new HttpExchange(access.server.url)
  }

  static async open(store: Parameters<typeof AccessScene.open>[0]): Promise<FuzzScene> {
    const access = await AccessScene.open(store)
    for (const user of ['victim', 'another']) await access.server.as(user)
    return new FuzzScene(access)
  }

  /** A session of its own, made anew where the fuzz has ended the one before. */
  async tokenOf(who: Who): Promise<string> {
    const known = this.#tokens.get(who)
    if (known !== undefined) {
      const headers = { authorization: `Bearer ${known}` }
      const { status } = await this.http.send({ method: 'GET', path: '/api/auth/me', headers })
      if (status === 200) return known
    }
    const token = (await this.access.secondSession(who, 'open')).token ?? ''
    this.#tokens.set(who, token)
    return token
  }

  /** A worker under a name of chance may serve what the scene's own worker serves, and with a schema that keeps it out. */
  async #sendStrangersAway(): Promise<void> {
    const admin = this.access.as('admin')
    const { workers } = await admin.expect<{ workers: readonly WorkerView[] }>(200, 'GET', '/api/workers')
    for (const { id, presence, extensions } of workers) {
      const isStranger = id !== this.access.worker('open') && presence !== 'lost'
      if (isStranger && extensions.some(({ room }) => room === rooms.open))
        await admin.expect(200, 'POST', `/api/workers/${encodeURIComponent(id)}/disconnect`)
    }
  }

  /** What is there to be named; not the people the fuzz plays as and not the private room, which have to outlive it. */
  async freshHints(path: string): Promise<Hints> {
    const { access } = this
    // The room may have been given a limit, and then its jobs would wait.
    await access.as('admin').expect(200, 'PATCH', `/api/rooms/${rooms.open}`, { limit: null, access: 'open' })
    await this.#sendStrangersAway()
    const attempts = await access.attempts('open', 20)
    const [{ job, token }] = attempts as [AttemptRef]
    const workers = [access.worker('open'), 'fuzz-worker']
    return {
      [attemptHint]: attempts,
      room: [rooms.open],
      name: [probe.name],
      category: [probe.category],
      extension: [probe.name],
      scope: ['room'],
      user: ['victim', 'another', guestNamed(1)],
      id: path.includes('/workers') ? workers : [job, job, access.jobs.open],
      job: [job],
      token: [token],
      worker: workers,
      submitter: [names.owner],
      waitMs: [0, 1, 5],
      policy: [{}, { maxRunning: 5 }, { maxAttempts: 2 }],
      priority: [5],
      offers: [{}, { slots: 3 }],
      notBefore: [0],
      runBy: [8_640_000_000_000],
      idempotencyKey: Array.from({ length: 100 }, (_, n) => `key-${n}`),
      password: ['long enough'],
      schema: [{}, { type: 'object', properties: { steps: { type: 'integer' } } }],
    }
  }

  /** It answers, nothing went wrong inside it, and a job still runs from submit to done. */
  async expectWell(): Promise<void> {
    const { server } = this.access
    expect(server.faults).toEqual([])
    expect('polluted' in {}).toBe(false)
    expect(await server.nobody().expect(200, 'GET', '/health/live')).toEqual({ status: 'live' })
    const { room, job, token } = await this.access.attempt('private')
    const path = `/api/rooms/${room}/jobs/${job}`
    const member = this.access.as('member')
    await member.expect(200, 'PUT', `${path}/status`, { token, status: 'completed', result: 'well' })
    expect(await member.expect(200, 'GET', path)).toMatchObject({ status: 'completed', result: 'well' })
  }

  async close(): Promise<void> {
    this.http.close()
    await this.access.close()
  }
}
