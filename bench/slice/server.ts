// The thin slice's server process: submit over HTTP, assign over a socket, complete, on either store. It exists to try
// the store port under a real path before the real server is built on it; it has no auth, no rooms, no validation.

import { once } from 'node:events'
import { queueOf, type Submission, type WorkerId } from '@millrace/domain'
import {
  ActiveJobs,
  claimJobs,
  type JobReport,
  openRedisStore,
  openSqliteStore,
  reportJobs,
  type Store,
  submitJobs,
} from '@millrace/server'
import fastify from 'fastify'
import { Server, type Socket } from 'socket.io'
import { noop, submission } from '../lifecycle.ts'

const room = 'slice'
const maxBatch = 500

interface Setup {
  readonly sqliteFile?: string
  readonly redisPort?: number
}

const setup = JSON.parse(process.argv[2] ?? '{}') as Setup
const store: Store =
  setup.sqliteFile === undefined
    ? await openRedisStore({ nodes: [{ host: '127.0.0.1', port: setup.redisPort ?? 0 }] })
    : await openSqliteStore({ file: setup.sqliteFile })

const active = new ActiveJobs()
let worker: { socket: Socket; free: number } | null = null
let placing = false
let wokenAgain = false

const http = fastify({ bodyLimit: 8_000_000 })
http.post<{ Body: { data: unknown[] } }>('/submit-many', async (request, reply) => {
  const now = store.now()
  const jobs: Submission[] = request.body.data.map((data) => submission(room, now, data))
  await submitJobs(store, room, jobs)
  wakePlacement()
  return reply.code(201).send({ ids: jobs.map(({ id }) => id) })
})

const io = new Server(http.server, { serveClient: false })
io.on('connection', (socket) => {
  worker = { socket, free: Number(socket.handshake.auth['slots']) }
  socket.on('job:reports', async (reports: JobReport[], acknowledge: (applied: number) => void) => {
    // A slot is free when its worker says so, not when the store has written it: the claim shares the report's group.
    if (worker) worker.free += reports.length
    wakePlacement()
    const answers = await reportJobs(store, active, room, reports, Math.random)
    acknowledge(answers.filter((answer) => !('refused' in answer)).length)
  })
  wakePlacement()
})

/** Wake-ups while a pass runs become one more pass; dropping them would leave a job waiting for the next one. */
function wakePlacement(): void {
  wokenAgain = true
  if (!placing) void place()
}

async function place(): Promise<void> {
  placing = true
  while (wokenAgain) {
    wokenAgain = false
    await placeUntilFull()
  }
  placing = false
}

async function placeUntilFull(): Promise<void> {
  while (worker && worker.free > 0) {
    const { socket, free } = worker
    const workers = Array.from({ length: Math.min(free, maxBatch) }, () => 'slice-worker' as WorkerId)
    const order = { room, queue: queueOf(noop), workers, acceptMs: 10_000, roomLimit: null, queueLimit: null }
    const jobs = await claimJobs(store, active, order)
    if (jobs.length === 0) return
    worker.free -= jobs.length
    const assigned = jobs.map(({ submission: { id, data }, attempt }) => ({
      id,
      token: attempt?.token,
      data,
    }))
    socket.emit('job:assigned', assigned)
  }
}

await http.listen({ port: 0, host: '127.0.0.1' })
const address = http.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : 0 })

await once(process, 'message')
await io.close()
await store.close()
process.disconnect?.()
