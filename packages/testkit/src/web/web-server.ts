// Millrace as somebody starts it who then opens a browser: by `dev` on the embedded store, or by `start` on Redis. It can be
// killed with -9 and started again at the same address with the same data.

import { CommandProcess, millrace, type Place } from '../cli-flow/command-process.ts'
import { devEnvironment } from '../cli-flow/dev-scene.ts'
import { gone, kill } from '../cli-flow/process-family.ts'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'

export interface WebServer {
  readonly url: string
  /** Signs in once. */
  readonly link: string
  kill(): Promise<void>
  startAgain(): Promise<void>
  stop(): Promise<void>
}

export async function startWebServer(redisUrl?: string): Promise<WebServer> {
  const folder = await makeTempDir('web')
  const port = await freePort()
  const env = {
    ...devEnvironment(folder),
    MILLRACE_PORT: String(port),
    MILLRACE_POOL_SLOTS: '2',
    MILLRACE_POOL_HOWEVER_BUSY: 'on',
    ...(redisUrl !== undefined && { MILLRACE_REDIS_URL: redisUrl }),
  }
  const place: Place = { cwd: folder, env }
  const args = [millrace, redisUrl === undefined ? 'dev' : 'start']
  const launch = async (): Promise<CommandProcess> => {
    const started = new CommandProcess(process.execPath, args, place)
    await started.line('Ctrl-C stops it.')
    return started
  }
  let running = await launch()
  const [link = ''] = /http:\S+\/login\?code=[\w-]+/.exec(await running.line('/login?code=')) ?? []
  return {
    url: `http://127.0.0.1:${port}`,
    link,
    kill: async () => {
      const family = running.family()
      kill(family)
      await gone(family)
    },
    startAgain: async () => {
      running = await launch()
    },
    stop: async () => {
      const family = running.family()
      running.signal('SIGTERM')
      await running.exit
      await gone(family)
    },
  }
}
