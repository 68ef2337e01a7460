// A real redis-server on a free port of the loopback interface, with its data in a directory of its own. It can be
// killed with SIGKILL and started again on the same data and port.

import { rm } from 'node:fs/promises'
import { type ChildLines, startChild } from '../process/child-process.ts'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'

export interface RedisOptions {
  /** Absent: nothing is kept on disk. */
  readonly appendfsync?: 'always' | 'everysec' | 'no'
  /** Further settings, named as in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>
}

// A cluster node needs two free ports at a fixed distance, which one try in five does not find.
const portAttempts = 10

export class RedisProcess {
  readonly host = '127.0.0.1'
  readonly port: number
  readonly #directory: string
  readonly #options: RedisOptions
  #child: ChildLines

  private constructor(port: number, directory: string, options: RedisOptions, child: ChildLines) {
    this.port = port
    this.#directory = directory
    this.#options = options
    this.#child = child
  }

  static async start(options: RedisOptions = {}): Promise<RedisProcess> {
    const directory = await makeTempDir('redis')
    for (let attempt = 1; ; attempt++) {
      const port = await freePort()
      try {
        return new RedisProcess(port, directory, options, await launch(port, directory, options))
      } catch (fault) {
        if (attempt < portAttempts) continue
        await rm(directory, { recursive: true })
        throw fault
      }
    }
  }

  /** Resolves with the first line of its log, past or to come, that holds this text. */
  logged(text: string): Promise<string> {
    return this.#child.line((line) => line.includes(text))
  }

  kill(): Promise<void> {
    return this.#child.kill()
  }

  /** Starts it again on the same data; resolves when the data is loaded. */
  async restart(): Promise<void> {
    await this.#child.kill()
    this.#child = await launch(this.port, this.#directory, this.#options)
  }

  async stop(): Promise<void> {
    await this.#child.kill()
    await rm(this.#directory, { recursive: true, force: true })
  }
}

async function launch(
  port: number,
  directory: string,
  { appendfsync, settings }: RedisOptions,
): Promise<ChildLines> {
  const all: Record<string, string> = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    save: '',
    appendonly: appendfsync ? 'yes' : 'no',
    appendfsync: appendfsync ?? 'no',
    ...settings,
  }
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
  const child = startChild('redis-server', args)
  await child.line((line) => line.includes('Ready to accept connections'))
  return child
}
