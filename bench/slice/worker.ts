// The thin slice's worker process: takes what it is assigned, runs a no-op, and reports what finished in this turn.

import { io } from 'socket.io-client'

interface AssignedJob {
  readonly id: string
  readonly token: string
}

const { port, slots, jobs } = JSON.parse(process.argv[2] ?? '{}') as {
  port: number
  slots: number
  jobs: number
}
const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], auth: { slots } })

let finished: { job: string; events: { type: string; token: string }[] }[] = []
let applied = 0

socket.on('job:assigned', (assigned: AssignedJob[]) => {
  for (const job of assigned) void run(job)
})

async function run({ id, token }: AssignedJob): Promise<void> {
  await noop()
  if (finished.length === 0) setImmediate(report)
  const events = [
    { type: 'start', token },
    { type: 'complete', token },
  ]
  finished.push({ job: id, events })
}

async function noop(): Promise<void> {}

function report(): void {
  const batch = finished
  finished = []
  socket.emit('job:reports', batch, (count: number) => {
    applied += count
    if (applied < jobs) return
    applied -= jobs
    process.send?.({ finished: jobs })
  })
}

socket.on('connect', () => process.send?.({ connected: true }))
process.on('message', () => {
  socket.close()
  process.disconnect?.()
})
