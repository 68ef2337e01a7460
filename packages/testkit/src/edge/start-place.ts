// A server in this process as its options say, with what it warns of; gone with the test.

import { type RunningServer, readConfig, type Store, startServer } from '@millrace/server'

export interface Place {
  readonly port: number
  readonly url: string
  readonly running: RunningServer
  readonly warnings: readonly string[]
  /** Resolves when a warning, past or to come, holds this text. */
  warned(text: string): Promise<string>
}

export async function startPlace(
  store: Store,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const read = readConfig({ args: ['--port', '0', '--guests', ...args], env, readFile: () => '{}' })
  if (!('config' in read)) throw new Error(JSON.stringify(read))
  const warnings: string[] = []
  const watchers = new Set<() => void>()
  const warn = (message: string): void => {
    warnings.push(message)
    for (const look of watchers) look()
  }
  const log = { info: () => undefined, warn, error: () => undefined }
  const secret = new TextEncoder().encode('a secret of thirty-two bytes, ok')
  const setup = { config: read.config, store, secret, version: 'test', builtins: [], log }
  const running = await startServer(setup)
  const { port } = running
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    running,
    warnings,
    warned: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = warnings.find((message) => message.includes(text))
          if (found === undefined) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
  }
}
