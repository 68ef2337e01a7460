// A private room full of names that stand nowhere else, where everything happens that can: whoever finds one of them in
// an answer has found a leak.

import type { AssignedJob } from '@millrace/protocol'
import type { ApiClient } from '../server/api-client.ts'
import { type AccessScene, rooms } from './access-scene.ts'

const mark = /zq[a-z-]*/gi
const secretRoom = 'zq-cellar'
const shared = 'shared-worker'
const submitPath = `/api/rooms/${secretRoom}/extensions/room/zqcategory/ZqSecret`

export class SecretRoom {
  readonly openJob: string
  readonly sharedWorker: string = shared
  readonly #scene: AccessScene
  readonly #owner: ApiClient
  readonly #ids: string[] = []

  private constructor(scene: AccessScene, owner: ApiClient, openJob: string) {
    this.#scene = scene
    this.#owner = owner
    this.openJob = openJob
  }

  /** One worker serves the open room and the secret one; only its owner may know of the second. */
  static async make(scene: AccessScene): Promise<SecretRoom> {
    const owner = await scene.server.as('pat')
    await owner.expect(201, 'POST', '/api/rooms', { name: secretRoom, access: 'private' })
    await owner.expect(200, 'POST', '/api/workers/register', {
      worker: { id: shared },
      extensions: [
        { room: rooms.open, category: 'analysis', name: 'Shared', schema: {} },
        { room: secretRoom, category: 'zqcategory', name: 'ZqSecret', schema: {} },
      ],
    })
    const path = `/api/rooms/${rooms.open}/extensions/room/analysis/Probe/submit`
    const { id } = await owner.expect<{ id: string }>(201, 'POST', path, { data: 'open' })
    return new SecretRoom(scene, owner, id)
  }

  /** Jobs wait, run, log, fail and are cancelled; members, workers and extensions come. */
  async live(): Promise<void> {
    const owner = this.#owner
    await this.#scene.server.as('zq-member')
    await owner.expect(200, 'PUT', `/api/rooms/${secretRoom}/members/zq-member`, { role: 'member' })
    const body = { worker: { id: 'zq-worker', offers: { slots: 10, labels: ['zq-label'] } } }
    const extension = { room: secretRoom, category: 'zqcategory', name: 'ZqSecret', schema: {} }
    const other = { ...extension, name: 'ZqOther', schema: { title: 'zq-title' } }
    await owner.expect(200, 'POST', '/api/workers/register', { ...body, extensions: [extension, other] })
    await this.fill(300)
    await this.#run({ status: 'running', progress: 0.5, message: 'zq-progress', log: ['zq-line'] })
    await this.#run({ status: 'failed', error: { message: 'zq-error' }, retryable: false })
    await this.#run({ status: 'completed', result: 'zq-result' })
    await owner.expect(202, 'POST', `/api/rooms/${secretRoom}/jobs/${this.#ids.at(-1)}/cancel`)
  }

  async fill(count: number): Promise<void> {
    const jobs = Array.from({ length: count }, (_, n) => ({ data: `zq-data ${n}` }))
    const made = await this.#owner.expect<{ jobs: { id: string }[] }>(
      201,
      'POST',
      `${submitPath}/submit-many`,
      {
        jobs,
      },
    )
    this.#ids.push(...made.jobs.map(({ id }) => id))
  }

  /** What a text says of the secret, where it says something. */
  mentionedIn(text: string): readonly string[] {
    const named = [...text.matchAll(mark)].map(([found]) => found).filter((found) => found !== 'zq')
    return [...named, ...this.#ids.filter((id) => text.includes(id))]
  }

  async #run(report: Readonly<Record<string, unknown>>): Promise<void> {
    const asked = { worker: 'zq-worker', waitMs: 10_000 }
    const { id, token } = await this.#owner.expect<AssignedJob>(200, 'POST', '/api/jobs/next', asked)
    const path = `/api/rooms/${secretRoom}/jobs/${id}/status`
    await this.#owner.expect(200, 'PUT', path, { token, ...report })
  }
}
