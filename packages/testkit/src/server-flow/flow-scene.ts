// What a case about a whole server works with: its address, an admin, rooms and users nobody else uses, and workers that
// go when the case ends.

import { randomUUID } from 'node:crypto'
import type { JobView, SubmitOptions, Submitted, WhyView } from '@millrace/protocol'
import type { ChildLines } from '../process/child-process.ts'
import { CheckedClient } from './checked-client.ts'
import { RoomEar } from './room-ear.ts'
import { type RawOffer, type RawOptions, RawWorker } from './worker/raw-worker.ts'
import type { WorkerTask } from './worker/worker-main.ts'
import { Ledger, startWorkerProcess } from './worker/worker-process.ts'

export interface FlowCase {
  readonly title: string
  readonly run: (scene: FlowScene) => Promise<void>
}

export interface HistoryEntry {
  readonly at: number
  readonly status: string
  readonly reason: string
  readonly by?: string
}

const password = 'a password for tests'

export class FlowScene {
  readonly url: string
  readonly admin: CheckedClient
  readonly #clients: CheckedClient[] = []
  readonly #children: ChildLines[] = []

  constructor(url: string, adminToken: string) {
    this.url = url
    this.admin = this.#client(adminToken, 'root')
  }

  newName(kind: string): string {
    return `${kind}-${randomUUID().slice(0, 8)}`
  }

  async newRoom(access: 'open' | 'private' = 'open', owner: CheckedClient = this.admin): Promise<string> {
    const name = this.newName('room')
    await owner.expect(201, 'POST', '/api/rooms', { name, access })
    return name
  }

  /** Somebody with an account of their own, signed in. */
  async user(role: 'user' | 'admin' = 'user'): Promise<CheckedClient> {
    const user = this.newName('user')
    await this.admin.expect(201, 'POST', '/api/users', { user, password, role })
    return this.signIn(user)
  }

  async signIn(user: string): Promise<CheckedClient> {
    const nobody = this.#client(null, 'nobody')
    const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', {
      user,
      password,
    })
    return this.#client(token, user)
  }

  withToken(token: string, user: string): CheckedClient {
    return this.#client(token, user)
  }

  worker(
    offers: readonly RawOffer[],
    options: Partial<RawOptions> = {},
    client: CheckedClient = this.admin,
  ): Promise<RawWorker> {
    return RawWorker.connect(client, { id: this.newName('worker'), ...options }, offers)
  }

  ear(room: string, client: CheckedClient = this.admin, job?: string): Promise<RoomEar> {
    return RoomEar.join(client, room, job)
  }

  ledger(): Promise<Ledger> {
    return Ledger.open()
  }

  async process(
    task: Pick<WorkerTask, 'extensions'> & Partial<WorkerTask> & { readonly ledger: string },
  ): Promise<ChildLines> {
    const child = await startWorkerProcess({
      url: this.url,
      token: this.admin.token ?? '',
      id: this.newName('worker'),
      ...task,
    })
    this.#children.push(child)
    return child
  }

  async submit(
    room: string,
    data: unknown = {},
    options: SubmitOptions & { readonly category?: string; readonly extension?: string } = {},
    client: CheckedClient = this.admin,
  ): Promise<string> {
    const { category = 'modifiers', extension = 'Relax', ...rest } = options
    const body = { category, extension, data, ...rest }
    const { id } = await client.expect<Submitted>(201, 'POST', `/api/rooms/${room}/jobs`, body)
    return id
  }

  async submitMany(
    room: string,
    count: number,
    extension = 'Relax',
    category = 'modifiers',
  ): Promise<string[]> {
    const jobs = Array.from({ length: count }, (_, n) => ({ data: { n } }))
    const path = `/api/rooms/${room}/extensions/room/${category}/${extension}/submit-many`
    const answer = await this.admin.expect<{ jobs: Submitted[] }>(201, 'POST', path, { jobs })
    return answer.jobs.map(({ id }) => id)
  }

  job(room: string, id: string): Promise<JobView> {
    return this.admin.get<JobView>(`/api/rooms/${room}/jobs/${id}`)
  }

  why(room: string, id: string): Promise<WhyView> {
    return this.admin.get<WhyView>(`/api/rooms/${room}/jobs/${id}/why`)
  }

  async history(room: string, id: string): Promise<readonly HistoryEntry[]> {
    const path = `/api/rooms/${room}/jobs/${id}/events`
    return (await this.admin.get<{ events: HistoryEntry[] }>(path)).events
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close()
    await Promise.all(this.#children.map((child) => child.kill()))
  }

  #client(token: string | null, user: string): CheckedClient {
    const client = new CheckedClient(this.url, token, user)
    this.#clients.push(client)
    return client
  }
}
