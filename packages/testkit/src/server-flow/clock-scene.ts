// A server in this process whose time stands still until a case moves it on. Its workers may be real processes; they
// have their own clocks and do not mind.

import type { Store } from '@millrace/server'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import type { OpenStore } from '../store-contract/contract-scene.ts'
import { FlowScene } from './flow-scene.ts'

export interface ClockCase {
  readonly title: string
  readonly run: (scene: ClockScene) => Promise<void>
}

type Feed = ReturnType<Store['feed']>

/** A tick that comes later than this after the last one looks like an outage, in which nobody is declared lost. */
const steadyStepMs = 4_000

export class ClockScene extends FlowScene {
  readonly server: TestServer
  readonly #clock: { now: number }
  readonly #closeStore: () => Promise<void>

  private constructor(
    server: TestServer,
    clock: { now: number },
    token: string,
    closeStore: () => Promise<void>,
  ) {
    super(server.url, token)
    this.server = server
    this.#clock = clock
    this.#closeStore = closeStore
  }

  static async open(open: OpenStore): Promise<ClockScene> {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const opened = await open({ now: () => clock.now })
    const server = await startTestServer(opened.store, ['--registrations-per-minute', '1000'])
    const root = await server.as('root', 'admin')
    return new ClockScene(server, clock, root.token ?? '', () => opened.close())
  }

  get now(): number {
    return this.#clock.now
  }

  /** Time jumps, and the server looks at what is due. */
  async jump(ms: number): Promise<void> {
    this.#clock.now += ms
    await this.server.running.tick()
  }

  /** Time passes as it does for a server that is up all the while. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= steadyStepMs) await this.jump(Math.min(left, steadyStepMs))
  }

  /** Listens from now on; `seen` resolves when the store says so of the worker. */
  async watchWorker(id: string, presence: string): Promise<{ readonly seen: Promise<void> }> {
    const feed = this.server.store.feed('now')
    await feed.ready
    return { seen: presenceTold(feed, `worker/${id}`, presence) }
  }

  /** Resolves when the beat that a worker answered is written. */
  async workerHeard(id: string): Promise<void> {
    const key = `worker/${id}`
    for (;;) {
      const [record] = await this.server.store.read('system', [key])
      if (record && (JSON.parse(record.head) as { heardAt: number }).heardAt === this.now) return
    }
  }

  override async close(): Promise<void> {
    await super.close()
    await this.server.close()
    await this.#closeStore()
  }
}

async function presenceTold(feed: Feed, subject: string, presence: string): Promise<void> {
  for await (const item of feed) {
    if (item.kind !== 'events') continue
    const told = item.events.filter((one) => one.subject === subject)
    if (told.some(({ event }) => (JSON.parse(event) as { presence: string }).presence === presence)) break
  }
  await feed.close()
}
