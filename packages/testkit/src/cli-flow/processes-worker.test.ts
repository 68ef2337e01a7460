import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { CommandProcess, type Finished, millrace, type Place, runMillrace } from './command-process.ts'
import { devEnvironment } from './dev-scene.ts'
import { gone, until } from './process-family.ts'
import {
  blocks,
  endsAsTold,
  endsWhenStopped,
  makeWorkerFolder,
  scaleFile,
  standsAlone,
  type WorkerFolder,
} from './worker-files.ts'

const patienceMs = 90_000

let server: ServerProcess
let place: Place
let folder: WorkerFolder
let worker: CommandProcess | null = null

beforeAll(async () => {
  const data = await makeTempDir('cli-worker')
  server = await startServerProcess(['--data-dir', data, '--registrations-per-minute', '1000'])
  await server.admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
  const token = server.admin.token ?? ''
  place = {
    cwd: data,
    env: { ...devEnvironment(data), MILLRACE_URL: server.url, MILLRACE_TOKEN: token, MILLRACE_ROOM: 'lab' },
  }
})

beforeEach(async () => {
  folder = await makeWorkerFolder()
})

afterEach(async () => {
  const family = worker?.family() ?? []
  if (family.length > 0) worker?.signal('SIGTERM')
  await gone(family)
  worker = null
})

afterAll(() => server.child.kill())

function start(file: string, ...flags: string[]): CommandProcess {
  worker = new CommandProcess(process.execPath, [millrace, 'worker', file, '--however-busy', ...flags], place)
  return worker
}

function submit(extension: string, data: object = {}, ...flags: string[]): Promise<Finished> {
  return runMillrace(['submit', extension, '--data', JSON.stringify(data), '--json', ...flags], place)
}

async function resultOf(extension: string, data: object = {}): Promise<Record<string, unknown>> {
  const { out, err, code } = await submit(extension, data, '--follow')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const last = JSON.parse(out.trim().split('\n').at(-1) ?? '') as {
    result?: unknown
    job?: { result: unknown }
  }
  return (last.result ?? last.job?.result) as Record<string, unknown>
}

describe('millrace worker', { timeout: patienceMs }, () => {
  it('[N50] serves what a file exports, wherever the file lies', async () => {
    const worker = start(folder.write('scale.ts', scaleFile('x')))
    await worker.line('serves analysis/Scale')
    expect(await resultOf('Scale', { x: 4 })).toMatchObject({ scaled: 8 })
    worker.signal('SIGTERM')
    expect(await worker.exit).toBe(0)
  })

  it('[N50] with process isolation a job runs outside of the worker', async () => {
    const worker = start(folder.write('scale.ts', scaleFile('x')), '--isolation', 'process', '--slots', '2')
    await worker.line('serves analysis/Scale')
    const { pid } = await resultOf('Scale')
    expect(worker.member('runner-main')).toMatchObject({ pid })
  })

  it('[N50] a file that starts its own worker is told where and as whom, and stays the only one', async () => {
    const worker = start(folder.write('alone.ts', standsAlone))
    await worker.line('serves analysis/Alone')
    const { workers } = await server.admin.expect<{ workers: { presence: string }[] }>(
      200,
      'GET',
      '/api/workers',
    )
    expect(workers.filter(({ presence }) => presence === 'connected')).toHaveLength(1)
  })

  it.each([
    ['a slip', 'const a = { b: 1 c: 2 }', 'broken.ts:1', 2],
    ['an import of nothing', "import { x } from './nowhere.ts'\nexport { x }", 'nowhere.ts', 2],
    ['what is more than types', 'enum Colour { Red }\nexport const red = Colour.Red', 'enums', 2],
    ['nothing to serve', 'export const nothing = 1', 'exports no extension and starts no worker', 2],
    ['no run', scaleFile('x').replace('run:', 'rnu:'), 'analysis/Scale has no `run`', 2],
    [
      'a room that is not there',
      scaleFile('x').replace("'Scale',", "'Scale', room: 'elsewhere',"),
      'no such room',
      1,
    ],
  ])('[N51] a file that cannot be served is refused in words: %s', async (_case, text, said, code) => {
    const { lines, exit } = start(folder.write('broken.ts', text))
    expect(await exit).toBe(code)
    expect(lines.join('\n')).toContain(said)
    expect(lines.join('\n')).not.toContain('node:internal')
  })

  it('[N51] a worker in Python, and a folder, are told from a file, with what was meant', async () => {
    const python = folder.write('worker.py', 'print(1)')
    const first = await runMillrace(['worker', python], place)
    expect(first).toMatchObject({ code: 2, err: expect.stringContaining(`python3 ${python}`) })
    const second = await runMillrace(['worker', folder.path('.')], place)
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining(`python3 ${python}`) })
    const file = folder.write('worker.ts', scaleFile('x'))
    const third = await runMillrace(['worker', folder.path('.'), '--watch'], place)
    expect(third).toMatchObject({ code: 2, err: expect.stringContaining(`Did you mean ${file}?`) })
  })

  it('[N51] a file that is not there, and a server without a credential, are said', async () => {
    const missing = await runMillrace(['worker', folder.path('none.ts')], place)
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('There is no file') })
    const stranger = { ...place, env: { ...place.env, MILLRACE_TOKEN: '' } }
    const nobody = await runMillrace(['worker', folder.write('scale.ts', scaleFile('x')), '--json'], stranger)
    expect(nobody.code).toBe(4)
    expect(JSON.parse(nobody.err)).toMatchObject({ error: { code: 'token_missing' } })
  })
})

describe('a worker whose job never waits', { timeout: patienceMs }, () => {
  /** Blocked, with its family. */
  async function blocked(...flags: string[]): Promise<{ worker: CommandProcess; flag: string; id: string }> {
    const worker = start(folder.write('greedy.ts', blocks), ...flags)
    await worker.line('serves analysis/Greedy')
    const flag = folder.path('flag')
    const { out } = await submit('Greedy', { file: flag })
    await until(() => existsSync(`${flag}.begun`))
    return { worker, flag, id: (JSON.parse(out) as { id: string }).id }
  }

  it.each([[], ['--watch']])('[N90] a second Ctrl-C ends it at once %s', async (...flags) => {
    const { worker, flag } = await blocked(...flags)
    const family = worker.family()
    expect(family).toHaveLength(2)
    worker.signalGroup('SIGINT')
    await worker.line('Stopping. Ctrl-C again does not wait.')
    await worker.line('does not hear this: a job keeps its event loop busy')
    worker.signalGroup('SIGINT')
    expect(await worker.exit).toBe(130)
    await gone(family)
    expect(worker.lines.at(-1)).toContain('is run again, here or by another worker')
    // The next worker of this extension gets the job, and must not be blocked by it.
    writeFileSync(flag, '')
  })

  it('[N91] after the first Ctrl-C the job that blocks may still end, and is reported', async () => {
    const { worker, flag } = await blocked()
    worker.signalGroup('SIGINT')
    await worker.line('does not hear this')
    writeFileSync(flag, '')
    expect(await worker.exit).toBe(0)
    expect(worker.lines).toContainEqual(expect.stringMatching(/^\w{8} {2}analysis\/Greedy {2}completed in /))
    expect(worker.lines.at(-1)).toBe('Stopped.')
  })

  it.each([[], ['--watch']])('[N110] its terminal says so once, with the cure %s', async (...flags) => {
    const { worker, flag } = await blocked(...flags)
    await worker.line('a job of analysis/Greedy keeps the event loop busy')
    writeFileSync(flag, '')
    await worker.line('analysis/Greedy  completed in')
    expect(worker.lines.filter((line) => line.includes('keeps the event loop busy'))).toEqual([
      expect.stringMatching(/takes jobs back .* for 15 s\. Run it with --isolation process, or await/),
    ])
  })

  it('[N111] a job that the server took back meanwhile is told as too late, not as completed', async () => {
    const { worker, flag, id } = await blocked()
    const job = (): Promise<{ status: string }> =>
      server.admin.expect(200, 'GET', `/api/rooms/lab/jobs/${id}`)
    // It began before its start could be told, so the server waits for that first.
    while ((await job()).status !== 'pending');
    writeFileSync(flag, '')
    const line = await worker.line('analysis/Greedy  ended too late')
    expect(line).toContain('the server had taken it back')
    expect(worker.lines.filter((each) => each.includes('keeps the event loop busy'))).toHaveLength(1)
  })
})

describe('the terminal of a worker', { timeout: patienceMs }, () => {
  async function afterJobs(...flags: string[]): Promise<CommandProcess> {
    const worker = start(folder.write('told.ts', endsAsTold), ...flags)
    await worker.line(flags.includes('--json') ? 'connected' : 'serves analysis/Told')
    await submit('Told', { end: 'well' }, '--follow')
    await submit('Told', { end: 'badly' }, '--follow')
    worker.signal('SIGTERM')
    expect(await worker.exit).toBe(0)
    return worker
  }

  it('[N92] has a line for every job that ends', async () => {
    const { lines } = await afterJobs()
    expect(lines.filter((line) => line.includes('  analysis/Told  '))).toEqual([
      expect.stringMatching(/^[0-9a-f]{8} {2}analysis\/Told {2}completed in [\d.]+ m?s$/),
      expect.stringMatching(/^[0-9a-f]{8} {2}analysis\/Told {2}failed after [\d.]+ m?s, for good: no mass$/),
    ])
  })

  it('[N92] says nothing of jobs with --quiet', async () => {
    const { lines } = await afterJobs('--quiet')
    expect(lines.join('\n')).not.toContain('  analysis/Told  ')
  })

  it('[N92] has a JSON text for every job with --json', async () => {
    const { lines } = await afterJobs('--json')
    const told = lines.map((line) => JSON.parse(line) as object)
    const job = { event: 'ended', room: 'lab', category: 'analysis', extension: 'Told' }
    expect(told).toMatchObject([
      { event: 'connected' },
      { ...job, outcome: 'completed', runMs: expect.any(Number) },
      { ...job, outcome: 'failed', retryable: false, error: { message: 'no mass' } },
    ])
  })
})

describe('millrace worker --watch', { timeout: patienceMs }, () => {
  it('[N52] runs the file anew when it changes, also with another schema, and goes on after a slip', async () => {
    const file = folder.write('scale.ts', scaleFile('x'))
    const worker = start(file, '--watch')
    await worker.line('serves analysis/Scale')
    expect(await resultOf('Scale', { x: 4 })).toMatchObject({ scaled: 8 })

    folder.write('scale.ts', scaleFile('length', '3'))
    await worker.line('serves analysis/Scale', 2)
    expect(await resultOf('Scale', { length: 4 })).toMatchObject({ scaled: 12 })

    folder.write('scale.ts', 'export const scale = {{')
    await worker.line('Waiting for a change')
    expect(worker.lines.join('\n')).toContain('scale.ts:1')

    folder.write('scale.ts', scaleFile('x', '5'))
    await worker.line('serves analysis/Scale', 3)
    expect(await resultOf('Scale', { x: 4 })).toMatchObject({ scaled: 20 })
  })

  it('[N104] stays at the server and in the room it began with when another profile counts by then', async () => {
    const profiles = folder.path('profiles.json')
    const token = server.admin.token ?? ''
    const mine = { url: server.url, token, room: 'lab' }
    const keep = (current: string, more: object): void =>
      writeFileSync(profiles, JSON.stringify({ current, profiles: { mine, ...more } }))
    keep('mine', {})
    const none = { MILLRACE_URL: '', MILLRACE_TOKEN: '', MILLRACE_ROOM: '' }
    const file = folder.write('scale.ts', scaleFile('x'))
    worker = new CommandProcess(process.execPath, [millrace, 'worker', file, '--watch'], {
      ...place,
      env: { ...place.env, ...none, MILLRACE_PROFILES: profiles },
    })
    await worker.line('serves analysis/Scale')
    const elsewhere = { url: 'http://127.0.0.1:9', token: 'another' }
    keep('other', { other: elsewhere })
    folder.write('scale.ts', scaleFile('x', '3'))
    await worker.line('serves analysis/Scale', 2)
    keep('mine', { mine: elsewhere })
    folder.write('scale.ts', scaleFile('x', '7'))
    await worker.line('serves analysis/Scale', 3)
    expect(await resultOf('Scale', { x: 4 })).toMatchObject({ scaled: 28 })
  })

  it('[N52] a change of a file that it imports counts, and one that appears', async () => {
    const imports = `import { factor } from './factor.ts'\n${scaleFile('x', 'factor')}`
    const worker = start(folder.write('scale.ts', imports), '--watch')
    await worker.line('Waiting for a change')
    folder.write('factor.ts', 'export const factor: number = 2')
    await worker.line('serves analysis/Scale')
    folder.write('factor.ts', 'export const factor: number = 7')
    await worker.line('serves analysis/Scale', 2)
    expect(await resultOf('Scale', { x: 4 })).toMatchObject({ scaled: 28 })
  })

  it('[N53] a job that runs while its file changes is let end before the new version registers', async () => {
    const file = folder.write('patient.ts', endsWhenStopped)
    const worker = start(file, '--watch')
    await worker.line('serves analysis/Patient')
    const { id } = JSON.parse((await submit('Patient')).out) as { id: string }
    const job = (): Promise<{ status: string }> =>
      server.admin.expect(200, 'GET', `/api/rooms/lab/jobs/${id}`)
    while ((await job()).status !== 'running');

    folder.write('patient.ts', `${endsWhenStopped}\n// Changed.\n`)
    await worker.line('changed, running it anew')
    await worker.line('serves analysis/Patient', 2)
    expect(await job()).toMatchObject({
      status: 'completed',
      result: 'seen',
      attempts: [{ outcome: 'completed' }],
    })
  })

  it('[N53] Ctrl-C ends it with 0, and kill -9 leaves nothing behind', async () => {
    const file = folder.write('scale.ts', scaleFile('x'))
    const first = start(file, '--watch')
    await first.line('serves analysis/Scale')
    const family = first.family()
    expect(family).toHaveLength(2)
    first.signalGroup('SIGINT')
    expect(await first.exit).toBe(0)
    await gone(family)

    const second = start(file, '--watch')
    await second.line('serves analysis/Scale')
    const others = second.family()
    second.signal('SIGKILL')
    await gone(others)
    worker = null
  })
})

describe('millrace init worker', { timeout: patienceMs }, () => {
  it('[N54] writes a worker in TypeScript that runs as it is, and says the commands that run it', async () => {
    const cwd = await makeTempDir('init')
    const here = { ...place, cwd }
    const { out, code } = await runMillrace(['init', 'worker'], here)
    expect(code).toBe(0)
    const commands = [...out.matchAll(/^ {2}npx millrace (.+)$/gm)].map(([, words = '']) => words.split(' '))
    const [serve = [], ask = []] = commands
    worker = new CommandProcess(process.execPath, [millrace, ...serve], here)
    await worker.line('serves analysis/RandomWalk')
    const asked = await runMillrace([...ask, '--json'], here)
    expect(asked.code).toBe(0)
    expect(asked.out).toContain('meanSquaredDistance')
  })

  it.each(['ts', 'py'])('[N54] nothing is overwritten (%s)', async (lang) => {
    const cwd = await makeTempDir('init')
    const words = ['init', 'worker', '--lang', lang, '.', '--json']
    const first = await runMillrace(words, { ...place, cwd })
    const { files, folder: written } = JSON.parse(first.out) as { files: string[]; folder: string }
    const before = files.map((file) => readFileSync(`${written}/${file}`, 'utf8'))
    writeFileSync(`${written}/${files[0]}`, 'mine')
    const second = await runMillrace(words, { ...place, cwd })
    expect(second.code).toBe(2)
    expect(JSON.parse(second.err)).toMatchObject({ error: { code: 'file_exists' } })
    expect(files.map((file) => readFileSync(`${written}/${file}`, 'utf8'))).toEqual([
      'mine',
      ...before.slice(1),
    ])
  })
})
