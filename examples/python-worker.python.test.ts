import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '@millrace/server'
import {
  type ChildLines,
  freePort,
  makeTempDir,
  type ServerProcess,
  startChild,
  startServerProcess,
  startTestServer,
} from '@millrace/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** What `millrace init worker --lang py` writes. */
const folder = fileURLToPath(new URL('../packages/cli/templates/py/', import.meta.url))
const workerFile = join(folder, 'worker.py')
/** All of a worker in one file. */
const exampleFile = fileURLToPath(new URL('./python-worker/worker.py', import.meta.url))
const cache = fileURLToPath(new URL('../node_modules/.cache/millrace-python', import.meta.url))

/** The first time takes as long as the index of packages does. */
const installMs = 300_000

let server: ServerProcess
let python: string

beforeAll(async () => {
  python = pythonWith(join(folder, 'requirements.txt'))
  server = await startServerProcess(['--data-dir', await makeTempDir('python')])
}, installMs)

afterAll(() => server?.child.kill())

/** An environment with these requirements, made once and kept beside what npm installed. */
function pythonWith(requirements: string): string {
  const version = execFileSync('python3', ['--version'], { encoding: 'utf8' })
  const key = createHash('sha256')
    .update(version + readFileSync(requirements, 'utf8'))
    .digest('hex')
  const environment = join(cache, key.slice(0, 16))
  const [found, complete] = [join(environment, 'bin/python'), join(environment, 'complete')]
  if (existsSync(complete)) return found
  rmSync(environment, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  execFileSync('python3', ['-m', 'venv', environment])
  execFileSync(found, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements])
  writeFileSync(complete, '')
  return found
}

interface Job {
  readonly status: string
  readonly worker: string
  readonly data: unknown
  readonly result: unknown
}

it('[M42] a worker in Python registers, runs, reports progress and completes', async () => {
  const { admin, url } = server
  await admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
  const { token } = await admin.expect<{ token: string }>(201, 'POST', '/api/tokens', { room: 'lab' })
  const worker = startWorker(url, token)
  await worker.line(isServing)

  const socket = await admin.socket()
  const [progress, states] = [new Set<string>(), new Map<string, string>()]
  await new Promise<void>((resolve) => {
    socket.on('job:progress', ({ jobs }: { jobs: { id: string }[] }) => {
      for (const { id } of jobs) progress.add(id)
    })
    socket.on('job:state_changed', ({ events }: { events: { id: string; status: string }[] }) => {
      for (const { id, status } of events) states.set(id, status)
      if ([...states.values()].filter((status) => status === 'completed').length === 6) resolve()
    })
    const body = { category: 'analysis', extension: 'Primes' }
    const submit = (data: object) => admin.expect(201, 'POST', '/api/rooms/lab/jobs', { ...body, data })
    void socket
      .emitWithAck('room:join', { room: 'lab' })
      .then(() => Promise.all([{}, ...[10, 20, 50, 1_000, 10_000].map((up_to) => ({ up_to }))].map(submit)))
  })

  const { jobs } = await admin.expect<{ jobs: { id: string }[] }>(200, 'GET', '/api/rooms/lab/jobs')
  const all = await Promise.all(
    jobs.map(({ id }) => admin.expect<Job>(200, 'GET', `/api/rooms/lab/jobs/${id}`)),
  )
  const found = all.map(({ data, result }) => ({ ...(data as { up_to: number }), ...(result as object) }))
  expect(found).toContainEqual({ up_to: 50, count: 15, largest: 47 })
  expect(found.filter(({ up_to }) => up_to === 1_000)).toHaveLength(2)
  expect(found).toContainEqual({ up_to: 10_000, count: 1_229, largest: 9_973 })
  expect(new Set(all.map((job) => job.worker)).size).toBe(1)
  expect(progress.size).toBeGreaterThan(0)
  admin.close()
  await worker.kill()
})

it('[M42] a worker in Python answers its beats and so keeps its lease', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const file = join(await makeTempDir('python-clock'), 'store.sqlite')
  const store = await openSqliteStore({ file, now: () => clock.now })
  const { as, close, url, running } = await startTestServer(store)
  const admin = await as('root', 'admin')
  await admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
  const worker = startWorker(url, admin.token ?? '')
  await worker.line(isServing)
  for (let beats = 0; beats < 6; beats++) {
    clock.now += 5_000
    await running.tick()
    await until(async () => {
      const { workers } = await admin.expect<{ workers: Seen[] }>(200, 'GET', '/api/workers')
      return workers.every(({ heardAt, presence }) => heardAt === clock.now && presence === 'connected')
    })
  }
  await worker.kill()
  await close()
  await store.close()
})

it('[M42] a worker in Python says that its server was stopped, and is back when the server is', async () => {
  const args = ['--data-dir', await makeTempDir('python-stop'), '--port', String(await freePort())]
  const first = await startServerProcess(args)
  await first.admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
  const worker = startWorker(first.url, first.admin.token ?? '')
  await worker.line(isServing)
  process.kill(first.child.pid, 'SIGTERM')
  await worker.line((line) => line.includes('the server went away; trying again'))
  await first.child.ended
  const second = await startServerProcess(args)
  await worker.line(() => worker.lines.filter(isServing).length === 2)
  await worker.kill()
  await second.child.kill()
})

it.each([
  ['its credential', { MILLRACE_TOKEN: 'no-such-token' }, /credential/],
  ['its room', { MILLRACE_ROOM: 'elsewhere' }, /elsewhere|no such room/],
])(
  '[M42] a worker in Python that is refused for %s ends with 1 and what the server said',
  (_what, wrong, said) => {
    const right = { MILLRACE_URL: server.url, MILLRACE_TOKEN: server.admin.token ?? '', MILLRACE_ROOM: 'lab' }
    const env = { ...process.env, ...right, ...wrong }
    const { status, stdout, stderr } = spawnSync(python, [workerFile], { env, encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(said)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  },
)

it('[M42] a worker in Python ends a job that is cancelled, and is free for the next', async () => {
  const { admin, url } = server
  await admin.expect(201, 'POST', '/api/rooms', { name: 'hall' })
  const worker = startWorker(url, admin.token ?? '', 'hall')
  await worker.line(isServing)
  const submit = async (up_to: number): Promise<string> => {
    const body = { category: 'analysis', extension: 'Primes', data: { up_to } }
    return (await admin.expect<{ id: string }>(201, 'POST', '/api/rooms/hall/jobs', body)).id
  }
  const reaches = (id: string, status: string): Promise<void> =>
    until(async () => (await admin.expect<Job>(200, 'GET', `/api/rooms/hall/jobs/${id}`)).status === status)
  const long = await submit(1_000_000)
  await reaches(long, 'running')
  await admin.expect(202, 'POST', `/api/rooms/hall/jobs/${long}/cancel`)
  await reaches(long, 'cancelled')
  await reaches(await submit(10), 'completed')
  await worker.kill()
})

it('[M42] the example of a worker in Python runs jobs, and goes on after its connection or its server was gone', async () => {
  const args = ['--data-dir', await makeTempDir('python-example'), '--port', String(await freePort())]
  const first = await startServerProcess(args)
  await first.admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
  const { token } = await first.admin.expect<{ token: string }>(201, 'POST', '/api/tokens', { room: 'lab' })
  const worker = startChild(python, [exampleFile], { MILLRACE_URL: first.url, MILLRACE_TOKEN: token })
  const served = (times: number): Promise<unknown> =>
    worker.line(() => worker.lines.filter((line) => line === 'serves analysis/Mean in lab').length === times)
  const ended = async (admin: ServerProcess['admin'], data: object): Promise<Job> => {
    const body = { category: 'analysis', extension: 'Mean', data, policy: { maxAttempts: 1 } }
    const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/rooms/lab/jobs', body)
    const look = () => admin.expect<Job>(200, 'GET', `/api/rooms/lab/jobs/${id}`)
    await until(async () => ['completed', 'failed'].includes((await look()).status))
    return look()
  }
  await served(1)
  expect(await ended(first.admin, {})).toMatchObject({ status: 'completed', result: { mean: 2 } })
  expect(await ended(first.admin, { numbers: [] })).toMatchObject({ status: 'failed' })

  process.kill(first.child.pid, 'SIGKILL')
  await first.child.ended
  const second = await startServerProcess(args)
  await served(2)
  expect(await ended(second.admin, { numbers: [4, 6] })).toMatchObject({ result: { mean: 5 } })

  process.kill(second.child.pid, 'SIGTERM')
  await second.child.ended
  const third = await startServerProcess(args)
  await served(3)
  expect(await ended(third.admin, { numbers: [7] })).toMatchObject({ result: { mean: 7 } })
  await worker.kill()
  await third.child.kill()
}, 120_000)

function isServing(line: string): boolean {
  return line.startsWith('serves analysis/Primes in ')
}

interface Seen {
  readonly heardAt: number
  readonly presence: string
}

/** The time limit of the test is that of the wait. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

function startWorker(url: string, token: string, room = 'lab'): ChildLines {
  const variables = { MILLRACE_URL: url, MILLRACE_TOKEN: token, MILLRACE_ROOM: room }
  return startChild(python, [workerFile], variables)
}
