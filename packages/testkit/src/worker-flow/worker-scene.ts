// A server on a SQLite file, a room, a user who watches it, and workers of the SDK that reach it through a proxy which
// can cut their connections or lead them to another server.

import { join } from 'node:path'
import type { JobStateChanged, JobView } from '@millrace/protocol'
import { openSqliteStore, type Store } from '@millrace/server'
import {
  createWorker,
  type Extension,
  type Worker,
  type WorkerEvents,
  type WorkerOptions,
} from '@millrace/worker'
import { TcpProxy } from '../network/tcp-proxy.ts'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import type { ApiClient } from '../server/api-client.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'

const room = 'lab'

export class WorkerScene {
  readonly ann: ApiClient
  readonly proxy: TcpProxy
  readonly #store: Store
  readonly #target: { host: string; port: number }
  readonly #workers: Worker[] = []
  #server: TestServer

  private constructor(
    store: Store,
    server: TestServer,
    ann: ApiClient,
    proxy: TcpProxy,
    target: { host: string; port: number },
  ) {
    this.#store = store
    this.#server = server
    this.ann = ann
    this.proxy = proxy
    this.#target = target
  }

  static async open(): Promise<WorkerScene> {
    const directory = await makeTempDir('worker-flow')
    const store = await openSqliteStore({ file: join(directory, 'store.sqlite') })
    const server = await startTestServer(store)
    const target = { host: '127.0.0.1', port: server.running.port }
    const proxy = await TcpProxy.start(target)
    const ann = await server.as('ann')
    await ann.expect(201, 'POST', '/api/rooms', { name: room })
    return new WorkerScene(store, server, ann, proxy, target)
  }

  get faults(): readonly unknown[] {
    return this.#server.faults
  }

  get url(): string {
    return `http://127.0.0.1:${this.proxy.port}`
  }

  get serverUrl(): string {
    return this.#server.url
  }

  worker(extensions: readonly Extension[], options: Partial<WorkerOptions> = {}): Worker {
    const worker = createWorker({
      url: this.url,
      token: this.ann.token ?? '',
      extensions,
      room,
      id: `worker-${this.#workers.length + 1}`,
      handleSignals: false,
      // A machine that is busy with other tests would get no jobs.
      vitals: false,
      logger: false,
      ...options,
    })
    this.#workers.push(worker)
    return worker
  }

  async submit(
    extension: Pick<Extension, 'category' | 'name'>,
    data: unknown,
    options: Record<string, unknown> = {},
  ): Promise<string> {
    const { category, name } = extension
    const body = { category, extension: name, data, ...options }
    const { id } = await this.ann.expect<{ id: string }>(201, 'POST', `/api/rooms/${room}/jobs`, body)
    return id
  }

  job(id: string): Promise<JobView> {
    return this.ann.expect<JobView>(200, 'GET', `/api/rooms/${room}/jobs/${id}`)
  }

  /** The job once it has this status, by what the room is told. */
  async reaches(id: string, status: JobView['status']): Promise<JobView> {
    const socket = await this.ann.socket()
    try {
      return await new Promise<JobView>((resolve, reject) => {
        const look = async (): Promise<void> => {
          const job = await this.job(id)
          if (job.status === status) resolve(job)
        }
        socket.on('job:state_changed', ({ events }: JobStateChanged) => {
          if (events.some((event) => event.id === id && event.status === status)) look().catch(reject)
        })
        socket.emit('room:join', { room }, () => void look().catch(reject))
      })
    } finally {
      socket.close()
    }
  }

  /** Cuts the connections of workers and lets no new one through. */
  async leadWorkersNowhere(): Promise<void> {
    this.#target.port = await freePort()
    this.proxy.cutAll()
  }

  leadWorkersHome(): void {
    this.#target.port = this.#server.running.port
  }

  /** Another server on the same store takes over; workers are led to it, people are not. */
  async restartServer(): Promise<void> {
    await this.#server.close()
    this.#server = await startTestServer(this.#store)
    this.leadWorkersHome()
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()))
    await this.proxy.close()
    await this.#server.close()
    await this.#store.close()
  }
}

export function next<Name extends keyof WorkerEvents>(
  worker: Worker,
  name: Name,
  accept: (event: WorkerEvents[Name]) => boolean = () => true,
): Promise<WorkerEvents[Name]> {
  return new Promise((resolve) => {
    const forget = worker.on(name, (event) => {
      if (!accept(event)) return
      forget()
      resolve(event)
    })
  })
}
