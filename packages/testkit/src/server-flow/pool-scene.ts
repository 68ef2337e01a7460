// A server that knows some built-in extensions, pools for it with tokens of their own, and a way to start it anew. Its time
// stands still until a case moves it on.

import type { ExtensionName } from '@millrace/domain'
import type { WorkerToken } from '@millrace/protocol'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import type { CheckedClient } from './checked-client.ts'
import { FlowScene } from './flow-scene.ts'
import type { RawOffer, RawWorker } from './worker/raw-worker.ts'

export interface PoolCase {
  readonly title: string
  readonly run: (scene: PoolScene) => Promise<void>
}

/** More than one user may register in a minute. */
const names: readonly string[] = [
  'Census',
  'Tally',
  'Long',
  'Short',
  ...Array.from({ length: 16 }, (_, n) => `More${n}`),
]
export const builtins: readonly ExtensionName[] = names.map((name) => ({ category: 'analysis', name }))

/** Two of ten slots, and what takes less than a second. */
const args: readonly string[] = ['--pool-short-share', '20%', '--pool-short-ms', '1000']

interface PoolOptions {
  readonly id?: string
  readonly slots?: number
  readonly schema?: Record<string, unknown>
}

export class PoolScene {
  readonly #opened: OpenedStore
  readonly #clock: { now: number }
  readonly #scenes: FlowScene[] = []
  #server: TestServer
  #flow: FlowScene

  private constructor(opened: OpenedStore, clock: { now: number }, server: TestServer, flow: FlowScene) {
    this.#opened = opened
    this.#clock = clock
    this.#server = server
    this.#flow = flow
  }

  static async open(open: OpenStore): Promise<PoolScene> {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const opened = await open({ now: () => clock.now })
    const server = await startTestServer(opened.store, args, builtins)
    return new PoolScene(opened, clock, server, await sceneOf(server))
  }

  get server(): TestServer {
    return this.#server
  }

  get flow(): FlowScene {
    return this.#flow
  }

  /** Another server on the same store, as after an upgrade; who was connected to the old one is not any more. */
  async restart(): Promise<void> {
    await this.#server.close()
    this.#scenes.push(this.#flow)
    this.#server = await startTestServer(this.#opened.store, args, builtins)
    this.#flow = await sceneOf(this.#server)
  }

  /** Time passes as it does for a server that is up all the while. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 4_000) {
      this.#clock.now += Math.min(left, 4_000)
      await this.#server.running.tick()
    }
  }

  async poolClient(maker: CheckedClient = this.#flow.admin): Promise<CheckedClient & { tokenId: string }> {
    const { id, token } = await maker.expect<WorkerToken>(201, 'POST', '/api/tokens', { pool: true })
    return Object.assign(this.#flow.withToken(token, 'pool'), { tokenId: id })
  }

  async pool(offers: readonly RawOffer[], { id, slots }: PoolOptions = {}): Promise<RawWorker> {
    const options = { kind: 'pool', ...(id && { id }), ...(slots && { slots }) } as const
    return this.#flow.worker(offers.map(asBuiltin), options, await this.poolClient())
  }

  async close(): Promise<void> {
    for (const scene of [...this.#scenes, this.#flow]) await scene.close()
    await this.#server.close()
    await this.#opened.close()
  }
}

export function asBuiltin(offer: RawOffer): RawOffer {
  return { scope: 'builtin', category: 'analysis', ...offer }
}

async function sceneOf(server: TestServer): Promise<FlowScene> {
  const root = await server.as('root', 'admin')
  return new FlowScene(server.url, root.token ?? '')
}
