// A development server as a newcomer starts it, with folders of its own so that tests disturb neither each other nor
// whoever runs them.

import { join } from 'node:path'
import { makeTempDir } from '../process/temp-dir.ts'
import {
  CommandProcess,
  type Finished,
  millrace,
  type Place,
  repository,
  runMillrace,
} from './command-process.ts'

export interface DevScene {
  readonly dev: CommandProcess
  readonly url: string
  readonly folder: string
  readonly place: Place
  /** `millrace …` in another terminal. */
  millrace(...args: string[]): Promise<Finished>
}

/** By `npm start` where that is what counts; otherwise without the detour. */
export async function startDev(args: readonly string[] = [], by: 'npm' | 'node' = 'node'): Promise<DevScene> {
  const folder = await makeTempDir('dev')
  const place: Place = { cwd: repository, env: devEnvironment(folder) }
  const dev =
    by === 'npm'
      ? new CommandProcess('npm', ['start', '--', ...args], place)
      : new CommandProcess(process.execPath, [millrace, 'dev', ...args], place)
  const line = await dev.line('http://')
  await dev.line('Ctrl-C stops it.')
  const url = /http:\/\/[\w.:]+/.exec(line)?.[0] ?? ''
  return { dev, url, folder, place, millrace: (...words) => runMillrace(words, place) }
}

/** Nothing of the surroundings that would make another server of it. */
export function devEnvironment(folder: string): Record<string, string | undefined> {
  const inherited = Object.keys(process.env).filter((name) => name.startsWith('MILLRACE_'))
  return {
    ...Object.fromEntries(inherited.map((name) => [name, undefined])),
    MILLRACE_DATA_DIR: join(folder, 'data'),
    MILLRACE_PORT: '0',
    MILLRACE_PROFILES: join(folder, 'profiles.json'),
  }
}

interface Seen {
  readonly workers: readonly { readonly kind: string; readonly presence: string }[]
}

/** As the server sees it that this place is signed in to. */
export async function connectedPools(place: Place): Promise<number> {
  const { workers } = JSON.parse((await runMillrace(['workers', 'ls', '--json'], place)).out) as Seen
  return workers.filter(({ kind, presence }) => kind === 'pool' && presence === 'connected').length
}
