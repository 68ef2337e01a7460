// Servers with pools, pools and workers as processes that are told to stop while a job runs, and the API of a server
// beside them that stays.

import type { JobView } from '@millrace/protocol'
import { makeTempDir } from '../process/temp-dir.ts'
import type { RedisProcess } from '../redis/redis-process.ts'
import { ApiClient } from '../server/api-client.ts'
import { CommandProcess, millrace } from './command-process.ts'
import { devEnvironment } from './dev-scene.ts'
import { gone, kill } from './process-family.ts'

const [user, password] = ['root', 'a password for tests']

export interface StartedServer {
  readonly command: CommandProcess
  readonly url: string
  readonly admin: ApiClient
}

export class StopScene {
  readonly #env: Record<string, string | undefined>
  readonly #cwd: string
  readonly #started: CommandProcess[] = []

  private constructor(cwd: string, env: Record<string, string | undefined>) {
    this.#cwd = cwd
    this.#env = env
  }

  /** Without a Redis each server has a store of its own; with one they are replicas. */
  static async open(redis?: RedisProcess): Promise<StopScene> {
    const cwd = await makeTempDir('stop')
    const shared = redis ? { MILLRACE_REDIS_URL: `redis://${redis.host}:${redis.port}` } : {}
    const account = { MILLRACE_ADMIN_USER: user, MILLRACE_ADMIN_PASSWORD: password }
    // However busy the machine is, its pool takes jobs.
    const busy = { MILLRACE_POOL_HOWEVER_BUSY: 'on' }
    return new StopScene(cwd, { ...devEnvironment(cwd), ...shared, ...account, ...busy })
  }

  /** `millrace …` that stays. */
  run(args: readonly string[], env: Record<string, string> = {}): CommandProcess {
    const place = { cwd: this.#cwd, env: { ...this.#env, ...env } }
    const command = new CommandProcess(process.execPath, [millrace, ...args], place)
    this.#started.push(command)
    return command
  }

  async server(...flags: readonly string[]): Promise<StartedServer> {
    const command = this.run(['start', ...flags])
    const url = /http:\/\/[\w.:]+/.exec(await command.line('http://'))?.[0] ?? ''
    const nobody = new ApiClient(url, null)
    const session = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', { user, password })
    const admin = new ApiClient(url, session.token)
    const rooms = await admin.call('POST', '/api/rooms', { name: 'lab' })
    if (rooms.status !== 201 && rooms.status !== 409) throw new Error(JSON.stringify(rooms.body))
    if (!flags.join(' ').includes('--pool-slots 0')) await untilListed(admin)
    return { command, url, admin }
  }

  /** However busy the machine is, it takes jobs. */
  async pool({ admin, url }: StartedServer, ...flags: readonly string[]): Promise<CommandProcess> {
    const { token } = await admin.expect<{ token: string }>(201, 'POST', '/api/tokens', { pool: true })
    const env = { MILLRACE_URL: url, MILLRACE_TOKEN: token }
    const pool = this.run(['pool', '--slots', '1', '--however-busy', ...flags], env)
    await pool.line('serves analysis/')
    return pool
  }

  async close(): Promise<void> {
    const families = this.#started.splice(0).flatMap((command) => command.family())
    kill(families)
    await gone(families)
  }
}

/** Its pool has registered what it serves. */
async function untilListed(admin: ApiClient): Promise<void> {
  const path = '/api/rooms/lab/extensions'
  while ((await admin.expect<{ extensions: unknown[] }>(200, 'GET', path)).extensions.length < 3) await look()
}

/** Nobody tells of it, and whoever asks without a pause keeps the machine from getting there. */
function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}

export function job(admin: ApiClient, id: string): Promise<JobView> {
  return admin.expect<JobView>(200, 'GET', `/api/rooms/lab/jobs/${id}`)
}

export async function reaches(
  admin: ApiClient,
  id: string,
  ...statuses: readonly string[]
): Promise<JobView> {
  for (;;) {
    const seen = await job(admin, id)
    if (statuses.includes(seen.status)) return seen
    await look()
  }
}

export async function submit(
  admin: ApiClient,
  extension: string,
  data: object,
  policy: object = {},
): Promise<string> {
  const body = { category: 'analysis', extension, data, policy }
  return (await admin.expect<{ id: string }>(201, 'POST', '/api/rooms/lab/jobs', body)).id
}

/** For as long as the test lasts, and longer. */
export const endless = { steps: 20_000_000_000 }

/** It ends at once, as soon as the runner that has it is let go. */
export const short = { steps: 100_000 }

/**
 * Stops the runners of a pool. A job that one of them is given runs, as far as anybody can tell, until the answer is called:
 * however long a test takes to look at it, it is not over before.
 */
export function holdRunners(pool: CommandProcess): () => void {
  const runners = pool.family().filter(({ command }) => command.includes('runner-main'))
  if (runners.length === 0) throw new Error('a pool that has registered has a runner')
  const signal = (name: NodeJS.Signals): void => {
    for (const { pid } of runners) process.kill(pid, name)
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

/** For those that wait for it: a loaded machine takes many times as long. */
export const longWait = ['--shutdown-timeout-ms', '200000'] as const
