// A server with an open and a private room that look alike, everybody who may come to their doors, and the things a
// request needs to name: extensions, workers, jobs, attempts, tokens.

import type { AssignedJob, AttemptRef, WorkerToken } from '@millrace/protocol'
import { createLoginCode, type Store } from '@millrace/server'
import { ApiClient } from '../server/api-client.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import { everybody, type KindOfRoom, type Who } from './who.ts'

export const rooms: Readonly<Record<KindOfRoom, string>> = { open: 'hall', private: 'vault' }

/** Private, and not the one that is asked about. */
export const annex = 'annex'

/** Nobody names it, so that no worker but the member's is given its jobs. */
const errand = 'Errand'

export const probe = { scope: 'room', category: 'analysis', name: 'Probe' } as const

/** What people are called, where the server needs a name for them. */
export const names = {
  owner: 'olga',
  member: 'maxi',
  viewer: 'vera',
  user: 'uwe',
  elsewhere: 'elsa',
  admin: 'anna',
} as const

type Clients = Readonly<Record<Who, ApiClient>>

export class AccessScene {
  readonly server: TestServer
  /** A worker's token depends on the room it is for. */
  readonly #clients: Readonly<Record<KindOfRoom, Clients>>
  /** A job that waits, in each room. */
  readonly jobs: Readonly<Record<KindOfRoom, string>>
  #count = 0

  private constructor(
    server: TestServer,
    clients: Readonly<Record<KindOfRoom, Clients>>,
    jobs: Readonly<Record<KindOfRoom, string>>,
  ) {
    this.server = server
    this.#clients = clients
    this.jobs = jobs
  }

  static async open(store: Store): Promise<AccessScene> {
    const args = ['--metrics', '--docs', '--registrations-per-minute', '1000', '--breaker-failures', '1000']
    // Whatever a fuzz tries to sign in with counts against the address of all who are here.
    args.push('--sign-in-tries-per-address', '100000')
    const server = await startTestServer(store, args)
    const [owner, member, viewer, user, elsewhere, admin] = await Promise.all([
      server.as(names.owner),
      server.as(names.member),
      server.as(names.viewer),
      server.as(names.user),
      server.as(names.elsewhere),
      server.as(names.admin, 'admin'),
    ])
    const people = { owner, member, viewer, user, elsewhere, admin }
    await furnish(people)
    const unknown = {
      nobody: server.nobody(),
      forger: new ApiClient(server.url, forged(member)),
      latecomer: await latecomer(server),
      guest: await server.guest(),
    }
    const strayWorker = await workerOf(member, annex)
    const pool = await poolOf(admin)
    const clientsIn = async (room: string): Promise<Clients> => ({
      ...unknown,
      ...people,
      worker: await workerOf(member, room),
      strayWorker,
      pool,
    })
    const clients = { open: await clientsIn(rooms.open), private: await clientsIn(rooms.private) }
    for (const room of Object.values(rooms)) await stationWorker(member, room)
    const jobs = {
      open: await submitted(owner, rooms.open),
      private: await submitted(owner, rooms.private),
    }
    return new AccessScene(server, clients, jobs)
  }

  as(who: Who, room: KindOfRoom = 'open'): ApiClient {
    return this.#clients[room][who]
  }

  /** Another number for each cell, for names that must not have been used before. */
  next(): number {
    this.#count += 1
    return this.#count
  }

  worker(room: KindOfRoom): string {
    return workerId(rooms[room])
  }

  /** A worker of the member that nothing else rests on. */
  async newWorker(room: KindOfRoom): Promise<string> {
    const id = `spare-${this.next()}`
    await stationWorker(this.as('member'), rooms[room], id)
    return id
  }

  submitted(room: KindOfRoom): Promise<string> {
    return submitted(this.as('owner'), rooms[room])
  }

  /** A job that was cancelled before it ran. */
  async ended(room: KindOfRoom): Promise<string> {
    const id = await this.submitted(room)
    await this.as('owner').expect(202, 'POST', `/api/rooms/${rooms[room]}/jobs/${id}/cancel`)
    return id
  }

  /** Attempts that the member's worker was given and has not started. Those it was given before are taken from it. */
  async attempts(room: KindOfRoom, count: number): Promise<readonly AttemptRef[]> {
    const member = this.as('member')
    await stationWorker(member, rooms[room])
    await this.#undo(room)
    const body = { worker: this.worker(room), waitMs: 10_000 }
    return Promise.all(
      Array.from({ length: count }, async () => {
        await submitted(member, rooms[room], errand)
        const { id, token } = await member.expect<AssignedJob>(200, 'POST', '/api/jobs/next', body)
        return { room: rooms[room], job: id, token }
      }),
    )
  }

  /** What somebody who was asked for everything may have decided meanwhile. */
  async #undo(room: KindOfRoom): Promise<void> {
    const member = this.as('member')
    await member.expect(200, 'DELETE', `/api/workers/${this.worker(room)}/drain`)
    const path = `/api/rooms/${rooms[room]}/extensions/room/${probe.category}/${errand}/resume`
    await member.expect(200, 'POST', path)
  }

  async attempt(room: KindOfRoom): Promise<AttemptRef> {
    const [attempt] = await this.attempts(room, 1)
    return attempt as AttemptRef
  }

  async loginCode(user: string): Promise<string> {
    const made = await createLoginCode(this.server.running.parts, user, 'user', 60)
    if ('refused' in made) throw new Error(made.message)
    return made.code
  }

  /** A second session of somebody, whose first is not touched by what happens to it. */
  async secondSession(who: Who, room: KindOfRoom): Promise<ApiClient> {
    const { token } = this.as(who, room)
    if (who === 'guest') return this.server.guest()
    if (who === 'worker') return workerOf(this.as('member'), rooms[room])
    if (who === 'strayWorker') return workerOf(this.as('member'), annex)
    if (who === 'pool') return poolOf(this.as('admin'))
    const name = who in names ? names[who as keyof typeof names] : null
    if (name === null) return new ApiClient(this.server.url, token)
    const code = await this.loginCode(name)
    const session = await this.as('nobody').expect<{ token: string }>(200, 'POST', '/api/auth/login', {
      code,
    })
    return new ApiClient(this.server.url, session.token)
  }

  close(): Promise<void> {
    for (const kind of ['open', 'private'] as const) for (const who of everybody) this.as(who, kind).close()
    return this.server.close()
  }
}

type People = Readonly<Record<keyof typeof names, ApiClient>>

async function furnish({ owner }: People): Promise<void> {
  for (const [kind, name] of Object.entries({ ...rooms, elsewhere: annex })) {
    const access = kind === 'open' ? 'open' : 'private'
    await owner.expect(201, 'POST', '/api/rooms', { name, access })
  }
  const members: readonly (readonly [string, string, string])[] = [
    [rooms.open, names.member, 'member'],
    [rooms.open, names.viewer, 'viewer'],
    [rooms.private, names.member, 'member'],
    [rooms.private, names.viewer, 'viewer'],
    [annex, names.member, 'member'],
    [annex, names.elsewhere, 'member'],
  ]
  for (const [room, user, role] of members)
    await owner.expect(200, 'PUT', `/api/rooms/${room}/members/${user}`, { role })
}

/** Somebody else's claims under one's own signature. */
function forged({ token }: ApiClient): string {
  const [head, claims] = (token ?? '').split('.')
  return `${head}.${claims}.${Buffer.from('not the signature of this server').toString('base64url')}`
}

async function latecomer(server: TestServer): Promise<ApiClient> {
  const { users, credentials } = server.running.parts
  const account = await users.get('system', `user/${names.member}`)
  if (!account) throw new Error('the member has no account')
  const { name, role, tokensFrom } = account.value
  const who = { user: name, role, accountFrom: tokensFrom }
  const { token } = await credentials.issueWorkerToken(who, rooms.open as never, -1)
  return new ApiClient(server.url, token)
}

async function workerOf(member: ApiClient, room: string): Promise<ApiClient> {
  const { token } = await member.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
  return new ApiClient(member.url, token)
}

async function poolOf(admin: ApiClient): Promise<ApiClient> {
  const { token } = await admin.expect<WorkerToken>(201, 'POST', '/api/tokens', { pool: true })
  return new ApiClient(admin.url, token)
}

function workerId(room: string): string {
  return `worker-of-${room}`
}

async function stationWorker(member: ApiClient, room: string, id: string = workerId(room)): Promise<void> {
  await member.expect(200, 'POST', '/api/workers/register', {
    worker: { id, offers: { slots: 1_000 } },
    extensions: [probe.name, errand].map((name) => ({ room, category: probe.category, name, schema: {} })),
  })
}

async function submitted(client: ApiClient, room: string, name: string = probe.name): Promise<string> {
  const path = `/api/rooms/${room}/extensions/room/${probe.category}/${name}/submit`
  const { id } = await client.expect<{ id: string }>(201, 'POST', path, { data: {} })
  return id
}
