import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { nodeFlags } from '@millrace/server'
import { afterEach, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { ApiClient } from '../server/api-client.ts'
import { CommandProcess, millrace, type Place, run, runMillrace } from './command-process.ts'
import { connectedPools, devEnvironment } from './dev-scene.ts'
import { gone, kill } from './process-family.ts'

const patienceMs = 90_000
const started: CommandProcess[] = []

afterEach(async () => {
  const families = started.splice(0).flatMap((command) => command.family())
  kill(families)
  await gone(families)
})

async function makePlace(): Promise<Place> {
  const cwd = await makeTempDir('start')
  return { cwd, env: devEnvironment(cwd) }
}

function start(place: Place, ...args: string[]): CommandProcess {
  const command = new CommandProcess(process.execPath, [millrace, ...args], place)
  started.push(command)
  return command
}

async function signIn(server: CommandProcess, place: Place): Promise<void> {
  const link = /'(?<link>http.+)'/.exec(await server.line('npx millrace login'))?.groups?.link ?? ''
  expect((await runMillrace(['login', link, '--profile', 'here'], place)).code).toBe(0)
}

function urlOf(line: string): string {
  return /http:\/\/[\w.:]+/.exec(line)?.[0] ?? ''
}

/** Of Node, as the process has them. */
function flagsOf({ pid }: CommandProcess): readonly string[] {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return words.slice(1).filter((word) => word.startsWith('--'))
}

/** Of its threads, by their names. */
function prioritiesOf({ pid }: CommandProcess): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>()
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim()
    found.set(name, (found.get(name) ?? new Set()).add(getPriority(Number(id))))
  }
  return found
}

/** What the command meets of Node 16. */
const olderNode = `
  Object.defineProperty(process.versions, 'node', { value: '16.20.2' })
  delete process.execve
  delete require('node:os').availableParallelism
  delete require('node:module').enableCompileCache
`

describe('millrace start', { timeout: patienceMs }, () => {
  it('[N48] runs a server for others with its pool: no guests, no rooms, and a link for the first admin', async () => {
    const place = await makePlace()
    const server = start(place, 'start')
    const url = urlOf(await server.line('http://'))
    await signIn(server, place)
    expect(await new ApiClient(url, null).call('POST', '/api/auth/guest')).toMatchObject({ status: 403 })
    const rooms = await runMillrace(['rooms', 'ls', '--json'], place)
    expect(JSON.parse(rooms.out)).toMatchObject({ rooms: [] })

    // A machine that is busy with other tests would give it no jobs; that it is there counts.
    while ((await connectedPools(place)) < 1);

    const family = server.family()
    server.signal('SIGTERM')
    expect(await server.exit).toBe(0)
    await gone(family)
  })

  it('[N112] starts it with the flags of Node that the server names', async () => {
    const server = start(await makePlace(), 'start', '--pool-slots', '0')
    await server.line('http://')
    expect(flagsOf(server)).toEqual([...nodeFlags, '--pool-slots'])
  })

  it.runIf(process.platform === 'linux')(
    '[N113] where processors are few, the threads that V8 has for itself make way for those that answer',
    async () => {
      const server = start(await makePlace(), 'start', '--pool-slots', '0')
      await server.line('http://')
      const priorities = prioritiesOf(server)
      const own = getPriority(server.pid)
      const few = availableParallelism() <= 2
      const way = few ? Math.max(own, constants.priority.PRIORITY_BELOW_NORMAL) : own
      expect(priorities.get('V8Worker')).toEqual(new Set([way]))
      expect(priorities.get('WorkerThread')).toEqual(new Set([own]))
    },
  )

  it('[N112] finds the Node it brought along when it is started with one that is too old', async () => {
    const { cwd = '', ...place } = await makePlace()
    const older = join(cwd, 'older.cjs')
    await writeFile(older, olderNode)
    const { code, out } = await run(process.execPath, ['--require', older, millrace, '--version'], {
      cwd,
      ...place,
    })
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('0.1.0') })
  })

  it('[N48] takes every option of the server, and tells all that is wrong with them at once', async () => {
    const place = await makePlace()
    const { code, err } = await runMillrace(['start', '--prot', '1', '--pool-slots', 'many'], place)
    expect(code).toBe(2)
    expect(err).toContain('Did you mean --port?')
    expect(err).toContain('--pool-slots')
    const help = await runMillrace(['start', '--help'], place)
    expect(help.out).toContain('MILLRACE_REDIS_URL')
    const noFolder = await runMillrace(['start', '--data-dir', `${process.execPath}/x`], place)
    expect(noFolder).toMatchObject({ code: 2, err: expect.stringContaining('--data-dir <folder>') })
  })

  it('[N48] a port that is taken ends it, because others know the address', async () => {
    const place = await makePlace()
    const url = urlOf(await start(place, 'start', '--pool-slots', '0').line('http://'))
    const other = await makePlace()
    const { code, err } = await runMillrace(['start', '--port', new URL(url).port], other)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is taken') })
  })
})

describe('millrace pool', { timeout: patienceMs }, () => {
  it('[N49] runs built-in extensions for a server elsewhere, by a token that may do nothing else', async () => {
    const place = await makePlace()
    const server = start(place, 'start', '--pool-slots', '0')
    const url = urlOf(await server.line('http://'))
    await signIn(server, place)
    expect((await runMillrace(['rooms', 'create', 'lab'], place)).code).toBe(0)
    const { out } = await runMillrace(['tokens', 'create', '--pool', '--json'], place)
    const { token } = JSON.parse(out) as { token: string }

    const elsewhere = await makePlace()
    const env = { ...elsewhere.env, MILLRACE_URL: url, MILLRACE_TOKEN: token }
    const pool = start({ ...elsewhere, env }, 'pool', '--slots', '2', '--however-busy')
    await pool.line('serves analysis/Histogram')
    const words = ['submit', 'MonteCarloPi', '--room', 'lab', '--set', 'samples=1000', '--follow']
    expect((await runMillrace(words, place)).code).toBe(0)
    expect((await runMillrace(['rooms', 'ls'], { ...elsewhere, env })).code).not.toBe(0)

    const family = pool.family()
    pool.signalGroup('SIGINT')
    expect(await pool.exit).toBe(0)
    await gone(family)
  })

  it('[N49] without a credential, or with one that is none, it says so and ends', async () => {
    const place = await makePlace()
    const nobody = await runMillrace(['pool', '--json'], place)
    expect(nobody.code).toBe(4)
    expect(JSON.parse(nobody.err)).toMatchObject({ error: { code: 'token_missing' } })
    const url = urlOf(await start(place, 'start', '--pool-slots', '0').line('http://'))
    const env = { ...place.env, MILLRACE_URL: url, MILLRACE_TOKEN: 'none' }
    expect(await start({ ...place, env }, 'pool').exit).toBe(4)
  })
})
