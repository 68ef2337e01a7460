// A whole server in the test's own process, on a store that is handed in: real HTTP, real sockets, a free port. Its clock
// is the store's, so a test that opens the store with a virtual clock decides what time it is.

import type { ExtensionName } from '@millrace/domain'
import { createLoginCode, type RunningServer, readConfig, type Store, startServer } from '@millrace/server'
import { ApiClient } from './api-client.ts'

export interface TestServer {
  readonly url: string
  readonly running: RunningServer
  readonly store: Store
  /** Faults the server logged; a test that expects none looks here. */
  readonly faults: readonly unknown[]
  /** What it said about each of them. */
  readonly faultsAt: readonly string[]
  /** What else it logged. */
  readonly said: readonly string[]
  /** Signed in as this user, who gets an account with this role if there is none yet. */
  as(user: string, role?: 'user' | 'admin'): Promise<ApiClient>
  guest(): Promise<ApiClient>
  nobody(): ApiClient
  close(): Promise<void>
}

export async function startTestServer(
  store: Store,
  args: readonly string[] = [],
  builtins: readonly ExtensionName[] = [],
): Promise<TestServer> {
  const often = args.includes('--poll-interval-ms') ? [] : ['--poll-interval-ms', '200']
  const fixed = ['--host', '127.0.0.1', '--port', '0', '--guests', ...often, ...args]
  const read = readConfig({ args: fixed, env: {}, readFile: () => '{}' })
  if (!('config' in read)) throw new Error(JSON.stringify(read))
  const faults: unknown[] = []
  const faultsAt: string[] = []
  const error = (fault: unknown, message: string): void => {
    faults.push(fault)
    faultsAt.push(message)
  }
  const said: string[] = []
  const say = (message: string): number => said.push(message)
  const running = await startServer({
    config: read.config,
    sources: read.sources,
    store,
    secret: new TextEncoder().encode('a secret of thirty-two bytes, ok'),
    version: 'test',
    builtins,
    log: { info: say, warn: say, error },
  })
  const url = `http://127.0.0.1:${running.port}`
  const clients: ApiClient[] = []
  const client = (token: string | null): ApiClient => {
    const made = new ApiClient(url, token)
    clients.push(made)
    return made
  }
  return {
    url,
    running,
    store,
    faults,
    faultsAt,
    said,
    as: async (user, role = 'user') => {
      const code = await createLoginCode(running.parts, user, role, 60)
      if ('refused' in code) throw new Error(code.message)
      const nobody = new ApiClient(url, null)
      const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', {
        code: code.code,
      })
      return client(token)
    },
    guest: async () => {
      const nobody = new ApiClient(url, null)
      const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/guest')
      return client(token)
    },
    nobody: () => client(null),
    close: async () => {
      for (const each of clients) each.close()
      await running.close()
    },
  }
}
