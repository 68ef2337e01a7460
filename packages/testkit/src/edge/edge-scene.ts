// A server in this process with the limits that a test gives it and a clock that the test moves, and people who knock.

import { startTestServer, type TestServer } from '../server/test-server.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'

export interface Knock {
  readonly status: number
  readonly code: string | null
  readonly detail: string
  readonly retryAfter: number | null
  readonly headers: Headers
}

export class EdgeScene extends FlowScene {
  readonly server: TestServer
  readonly clock: { now: number }
  readonly #closeStore: () => Promise<void>

  private constructor(
    server: TestServer,
    clock: { now: number },
    token: string,
    closeStore: () => Promise<void>,
  ) {
    super(server.url, token)
    this.server = server
    this.clock = clock
    this.#closeStore = closeStore
  }

  static async open(...args: readonly string[]): Promise<EdgeScene> {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const opened = await sqliteOpener({ now: () => clock.now })
    const server = await startTestServer(opened.store, args)
    const root = await server.as('root', 'admin')
    return new EdgeScene(server, clock, root.token ?? '', () => opened.close())
  }

  knock(method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Knock> {
    return knock(this.url, method, path, headers, body)
  }

  signInAs(user: string, password: string, headers: Record<string, string> = {}): Promise<Knock> {
    return knock(this.url, 'POST', '/api/auth/login', headers, { user, password })
  }

  override async close(): Promise<void> {
    await super.close()
    await this.server.close()
    await this.#closeStore()
  }
}

/** One request with whatever headers, and what there is to say about its answer. */
export async function knock(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Knock> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const reply = await fetch(url + path, { method, headers: { ...type, ...headers }, ...sent })
  const text = await reply.text()
  const isProblem = reply.headers.get('content-type')?.includes('problem') === true
  const problem = isProblem ? (JSON.parse(text) as { code: string; detail: string }) : null
  const retryAfter = reply.headers.get('retry-after')
  return {
    status: reply.status,
    code: problem?.code ?? null,
    detail: problem?.detail ?? '',
    retryAfter: retryAfter === null ? null : Number(retryAfter),
    headers: reply.headers,
  }
}
