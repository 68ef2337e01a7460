// Millrace on one store, ready to be measured: a server process, a worker process with the SDK, a client in the room.

import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisProcess } from '@millrace/testkit'
import { createSubmitter, type Submitter as SocketSubmitter } from '@millrace/worker'
import type { Waits } from '../clock.ts'
import type { Forked } from '../forked.ts'
import { inBatches } from '../in-batches.ts'
import { type Involved, type Measured, measure } from '../measure.ts'
import { type BenchServer, makeRoom, noopCounts, Submitter, startBenchServer } from './bench-server.ts'
import { RoomListener } from './room-listener.ts'
import { startBenchWorker } from './worker-process.ts'

const room = 'bench'
const scope = 'room'
const connections = 32
const standstillMs = 20_000

interface Parts {
  readonly server: BenchServer
  readonly worker: Forked
  readonly listener: RoomListener
  readonly redis: RedisProcess | null
}

export class Contender {
  readonly name: string
  readonly #parts: Parts
  readonly #requests: Submitter
  readonly #line: SocketSubmitter

  private constructor(name: string, parts: Parts) {
    this.name = name
    this.#parts = parts
    const { server } = parts
    this.#requests = new Submitter(server, room, scope, connections)
    this.#line = createSubmitter({ url: server.url, token: server.token, room })
  }

  /** On the embedded store when there is no Redis. */
  static async start(name: string, redis: RedisProcess | null, slots: number): Promise<Contender> {
    const server = await startBenchServer(redis)
    await makeRoom(server, room)
    const listener = await RoomListener.join(server.api, room)
    const worker = await startBenchWorker(server, slots, room)
    return new Contender(name, { server, worker, listener, redis })
  }

  /** In an HTTP request of its own. */
  submit(data: object): Promise<void> {
    return this.#requests.submit(data)
  }

  /** Over the SDK's connection, which stays open. */
  async submitByLine(data: object): Promise<void> {
    await this.#line.submit({ category: 'analysis', extension: 'Noop', scope, data })
  }

  /** How long jobs with `sentAt` waited since the last time this was asked. */
  async waits(): Promise<readonly number[]> {
    const waits = await this.#parts.worker.ask<Waits>({ waits: true })
    return Object.values(waits).flat()
  }

  /** Submitted in bulk, until the last is completed. */
  bulk(count: number, batch: number, inFlight: number): Promise<Measured> {
    return this.#measure(count, () =>
      inBatches(count, batch, inFlight, (data) => this.#requests.submitMany(data)),
    )
  }

  /** Each submitted in a request of its own, until the last is completed. */
  singles(count: number, inFlight: number): Promise<Measured> {
    return this.#measure(count, () =>
      inBatches(count, 1, inFlight, async ([data]) => {
        if (data) await this.#requests.submit(data)
      }),
    )
  }

  async #measure(count: number, submit: () => Promise<void>): Promise<Measured> {
    const { server, listener } = this.#parts
    const before = await noopCounts(server, room, scope)
    const measured = await measure(count, this.#involved(), async () => {
      const completed = listener.completed(count)
      await submit()
      await Promise.race([completed, this.#standstill()])
    })
    const { pending, running, completed, failed } = await noopCounts(server, room, scope)
    if (completed - before.completed !== count || pending + running + failed > 0)
      throw new Error(`${count} jobs ended as ${JSON.stringify({ pending, running, completed, failed })}`)
    return measured
  }

  /** Rejects when nothing is completed any more, with what the server says of the worker: a busy machine makes it unfit. */
  async #standstill(): Promise<never> {
    const { server, listener } = this.#parts
    for (let seen = -1; seen !== listener.count; ) {
      seen = listener.count
      await sleep(standstillMs, undefined, { ref: false })
    }
    const { workers } = await server.api.expect<{ workers: { reason: string | null }[] }>(
      200,
      'GET',
      '/api/workers',
    )
    throw new Error(
      `nothing was completed for ${standstillMs} ms; the worker: ${workers[0]?.reason ?? 'healthy'}`,
    )
  }

  #involved(): Involved {
    const { server, worker, redis } = this.#parts
    return { pids: { server: server.pid, worker: worker.pid, client: process.pid }, redis }
  }

  async stop(): Promise<void> {
    this.#line.close()
    this.#requests.close()
    await this.#parts.worker.stop()
    await this.#parts.server.stop()
  }
}
