// A Millrace server as a process of its own with a room, as a user would run it: accounts, validation, metrics and the
// room's feed are all switched on.

import { type ApiClient, makeTempDir, type RedisProcess, startServerProcess } from '@millrace/testkit'
import { HttpSender } from './http-sender.ts'

export interface BenchServer {
  readonly url: string
  readonly pid: number
  readonly token: string
  readonly api: ApiClient
  stop(): Promise<void>
}

/** One client stands for many here, and would be held to what one may ask for. */
const enough = ['--requests-per-minute', '1000000', '--messages-per-minute', '1000000'] as const

/** On the embedded store, or on a Redis. */
export async function startBenchServer(
  redis: RedisProcess | null,
  args: readonly string[] = [],
): Promise<BenchServer> {
  const directory = await makeTempDir('bench')
  const place = redis ? ['--redis', `redis://${redis.host}:${redis.port}`] : []
  const given = ['--data-dir', directory, ...place, ...enough, ...args]
  const { url, child, admin } = await startServerProcess(given)
  return {
    url,
    pid: child.pid,
    token: admin.token ?? '',
    api: admin,
    stop: async () => {
      admin.close()
      process.kill(child.pid, 'SIGTERM')
      await child.ended
    },
  }
}

export async function makeRoom({ api }: BenchServer, name: string): Promise<void> {
  await api.expect(201, 'POST', '/api/rooms', { name })
}

export type NoopScope = 'room' | 'global'

/** What the bench's worker serves, as a room addresses it. */
function noopPath(room: string, scope: NoopScope): string {
  return `/api/rooms/${room}/extensions/${scope}/analysis/Noop`
}

export interface NoopCounts {
  readonly pending: number
  readonly running: number
  readonly completed: number
  readonly failed: number
}

export function noopCounts({ api }: BenchServer, room: string, scope: NoopScope): Promise<NoopCounts> {
  return api.expect<NoopCounts & Record<string, unknown>>(200, 'GET', `${noopPath(room, scope)}/stats`)
}

/** Submits to the no-op extension of a room over connections that stay open. */
export class Submitter {
  readonly #sender: HttpSender
  readonly #path: string

  constructor({ url, token }: BenchServer, room: string, scope: NoopScope, connections: number) {
    this.#sender = new HttpSender(url, token, connections)
    this.#path = noopPath(room, scope)
  }

  submit(data: object): Promise<void> {
    return this.#sender.post(`${this.#path}/submit`, JSON.stringify({ data }), 201)
  }

  submitMany(data: readonly object[]): Promise<void> {
    const jobs = data.map((each) => ({ data: each }))
    return this.#sender.post(`${this.#path}/submit-many`, JSON.stringify({ jobs }), 201)
  }

  close(): void {
    this.#sender.close()
  }
}
