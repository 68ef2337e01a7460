import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '@millrace/server'
import {
  type ChildLines,
  makeTempDir,
  type ServerProcess,
  startChild,
  startServerProcess,
  startTestServer,
} from '@millrace/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('./python-worker/', import.meta.url))
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
  await worker.line((line) => line === 'registered')

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
  const found = all.map(({ data, result }) => ({ ...(data as object), ...(result as object) }))
  expect(found).toContainEqual({ up_to: 100, count: 25, largest: 97 })
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
  await worker.line((line) => line === 'registered')
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

interface Seen {
  readonly heardAt: number
  readonly presence: string
}

/** The time limit of the test is that of the wait. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

function startWorker(url: string, token: string): ChildLines {
  const variables = { MILLRACE_URL: url, MILLRACE_TOKEN: token, MILLRACE_ROOM: 'lab' }
  return startChild(python, [join(folder, 'worker.py')], variables)
}
