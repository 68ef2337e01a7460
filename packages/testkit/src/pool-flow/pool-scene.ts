// A server that knows the built-in extensions and those that make trouble, a room, and pools with tokens of their own.

import { join } from 'node:path'
import { builtinExtensions } from '@millrace/extensions'
import { type Pool, type PoolOptions, startPool } from '@millrace/pool'
import type { JobStateChanged, JobView } from '@millrace/protocol'
import { openSqliteStore, type Store } from '@millrace/server'
import type { Extension } from '@millrace/worker'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ApiClient, heard } from '../server/api-client.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import type { HistoryEntry } from '../server-flow/flow-scene.ts'
import { all, module, where } from './trouble-extensions.ts'

const room = 'lab'

type Place = Pick<Extension, 'category' | 'name'>

export class PoolScene {
  readonly root: ApiClient
  readonly warnings: string[] = []
  readonly #store: Store
  readonly #server: TestServer
  readonly #pools: Pool[] = []

  private constructor(store: Store, server: TestServer, root: ApiClient) {
    this.#store = store
    this.#server = server
    this.root = root
  }

  /** `now` is the server's clock, where the test has one. */
  static async open(now?: () => number): Promise<PoolScene> {
    const directory = await makeTempDir('pool-flow')
    const store = await openSqliteStore({ file: join(directory, 'store.sqlite'), ...(now && { now }) })
    const names = [...builtinExtensions, ...all].map(({ category, name }) => ({ category, name }))
    const server = await startTestServer(store, [], names)
    const root = await server.as('root', 'admin')
    await root.expect(201, 'POST', '/api/rooms', { name: room })
    return new PoolScene(store, server, root)
  }

  get url(): string {
    return this.#server.url
  }

  get faults(): readonly unknown[] {
    return this.#server.faults
  }

  async poolToken(): Promise<string> {
    const { token } = await this.root.expect<{ token: string }>(201, 'POST', '/api/tokens', { pool: true })
    return token
  }

  /** Of the extensions that make trouble, unless it is told otherwise. */
  async pool(options: Partial<PoolOptions> = {}): Promise<Pool> {
    const pool = await startPool({
      url: this.url,
      token: await this.poolToken(),
      id: `pool-${this.#pools.length + 1}`,
      slots: 2,
      runnerMemoryMb: 96,
      shutdownTimeoutMs: 1,
      // A machine that is busy with other tests would get no jobs.
      vitals: false,
      logger: { info: () => undefined, warn: (line) => this.warnings.push(line) },
      extensions: { all, module },
      ...options,
    })
    this.#pools.push(pool)
    return pool
  }

  async submit({ category, name }: Place, data: unknown = {}, policy?: object): Promise<string> {
    const body = { category, extension: name, data, ...(policy && { policy }) }
    const { id } = await this.root.expect<{ id: string }>(201, 'POST', `/api/rooms/${room}/jobs`, body)
    return id
  }

  cancel(id: string): Promise<unknown> {
    return this.root.expect(202, 'POST', `/api/rooms/${room}/jobs/${id}/cancel`)
  }

  async run(place: Place, data: unknown = {}, policy?: object): Promise<JobView> {
    return this.ended(await this.submit(place, data, policy))
  }

  job(id: string): Promise<JobView> {
    return this.root.expect<JobView>(200, 'GET', `/api/rooms/${room}/jobs/${id}`)
  }

  async lines(id: string): Promise<readonly string[]> {
    const path = `/api/rooms/${room}/jobs/${id}/logs`
    const { lines } = await this.root.expect<{ lines: { text: string }[] }>(200, 'GET', path)
    return lines.map(({ text }) => text)
  }

  /** The first line of the job that the test accepts, as the room hears it or as it was kept. */
  async line(id: string, accept: (line: string) => boolean): Promise<string> {
    const socket = await this.root.socket()
    try {
      let found: string | undefined
      const heardLine = heard<{ id: string; lines: readonly { text: string }[] }>(
        socket,
        'job:log',
        ({ lines }) => {
          found = lines.map(({ text }) => text).find(accept)
          return found !== undefined
        },
      )
      await socket.emitWithAck('room:join', { room, job: id })
      found ??= (await this.lines(id)).find(accept)
      if (found === undefined) await heardLine
      return found ?? ''
    } finally {
      socket.close()
    }
  }

  async history(id: string): Promise<readonly HistoryEntry[]> {
    const path = `/api/rooms/${room}/jobs/${id}/events`
    return (await this.root.expect<{ events: HistoryEntry[] }>(200, 'GET', path)).events
  }

  /** What the room is told about its jobs from now on, as it comes. */
  async ear(): Promise<readonly JobStateChanged['events'][number][]> {
    const heardSoFar: JobStateChanged['events'][number][] = []
    const socket = await this.root.socket()
    socket.on('job:state_changed', ({ events }: JobStateChanged) => heardSoFar.push(...events))
    await socket.emitWithAck('room:join', { room })
    return heardSoFar
  }

  ended(id: string): Promise<JobView> {
    return this.reaches(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status))
  }

  running(id: string): Promise<JobView> {
    return this.reaches(id, ({ status }) => status === 'running')
  }

  /** The mark of the runner that took this job, as the job itself saw it. */
  async runnerOf(): Promise<{ readonly pid: number; readonly mark: string }> {
    return (await this.run(where)).result as { pid: number; mark: string }
  }

  async stopPools(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.stop()))
  }

  async close(): Promise<void> {
    await this.stopPools()
    await this.#server.close()
    await this.#store.close()
  }

  async reaches(id: string, accept: (job: JobView) => boolean): Promise<JobView> {
    const socket = await this.root.socket()
    try {
      return await new Promise<JobView>((resolve, reject) => {
        const look = async (): Promise<void> => {
          const job = await this.job(id)
          if (accept(job)) resolve(job)
        }
        socket.on('job:state_changed', ({ events }: JobStateChanged) => {
          if (events.some((event) => event.id === id)) look().catch(reject)
        })
        socket.emit('room:join', { room }, () => void look().catch(reject))
      })
    } finally {
      socket.close()
    }
  }
}
