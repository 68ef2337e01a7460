// A real redis-server on a free port of the loopback interface, with its data in a directory of its own. It can be
// killed with SIGKILL and started again on the same data and port.

import { execFile } from 'node:child_process'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
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

  /** SIGSTOP leaves it open and silent until SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.#child.pid, signal)
  }

  kill(): Promise<void> {
    return this.#child.kill()
  }

  /**
   * Starts it again on the same data; resolves when the data is loaded. As the README asks of whoever runs it: what was
   * torn at the end of its log is cut off before, because Redis itself would keep the beginning of a torn change.
   */
  async restart(): Promise<void> {
    await this.#child.kill()
    await mendLog(this.logDirectory)
    this.#child = await launch(this.port, this.#directory, this.#options)
  }

  get logDirectory(): string {
    return join(this.#directory, 'appendonlydir')
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
    'aof-load-truncated': 'no',
    ...settings,
  }
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
  const child = startChild('redis-server', args)
  await child.line((line) => line.includes('Ready to accept connections'))
  return child
}

async function mendLog(directory: string): Promise<void> {
  const manifest = join(directory, 'appendonly.aof.manifest')
  const exists = await access(manifest).then(
    () => true,
    () => false,
  )
  if (!exists) return
  await new Promise<void>((resolve, reject) => {
    const check = execFile('redis-check-aof', ['--fix', manifest], (fault) =>
      fault ? reject(fault) : resolve(),
    )
    // It asks before it cuts.
    check.stdin?.end('y\n')
  })
}
