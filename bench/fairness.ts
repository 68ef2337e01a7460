// How long jobs of a quiet room wait (submit to the first line of the handler) when nothing else runs, and beside a room
// with a hundred thousand queued jobs that the same worker serves and that keep all its slots busy. Nobody is stopped for
// the quiet room: beside the backlog its wait holds the time until the next slot falls free, which short jobs keep small.

import type { Bench, Figures } from './bench.ts'
import type { Waits } from './clock.ts'
import { median, quantile } from './figures.ts'
import type { Forked } from './forked.ts'
import { inBatches } from './in-batches.ts'
import {
  type BenchServer,
  makeRoom,
  noopCounts,
  Submitter,
  startBenchServer,
} from './millrace/bench-server.ts'
import { startBenchWorker } from './millrace/worker-process.ts'
import { openLoop } from './open-loop.ts'

const backlog = 100_000
const batch = 1_000
/** With jobs of 5 ms this asks for 2,000 jobs a second, which leaves the server some room. */
const slots = 10
const quietMs = 5
/** As long on the average, but not alike: jobs that take the very same time free all slots in the same instant. */
const busyMs = (n: number): number => 2 + (n % 7)
const quietEveryMs = 50
const quietJobs = 200
const rounds = 3

export const bench: Bench = {
  name: 'fairness',
  async run(report): Promise<Figures> {
    const server = await startBenchServer(null)
    for (const room of ['quiet', 'busy']) await makeRoom(server, room)
    const worker = await startBenchWorker(server, slots)
    const quiet = new Submitter(server, 'quiet', 'global', 8)
    const busy = new Submitter(server, 'busy', 'global', 8)
    const idleP95: number[] = []
    const besideP95: number[] = []
    try {
      await quietP95(quiet, worker)
      for (let round = 1; round <= rounds; round++) idleP95.push(await quietP95(quiet, worker))
      await inBatches(backlog, batch, 4, (data) =>
        busy.submitMany(data.map(({ n }) => ({ n, busyMs: busyMs(n) }))),
      )
      for (let round = 1; round <= rounds; round++) besideP95.push(await quietP95(quiet, worker))
      report(`p95 in ms: idle ${rounded(idleP95)}, beside the backlog ${rounded(besideP95)}`)
      await requireBacklog(report, server)
    } finally {
      quiet.close()
      busy.close()
      process.kill(worker.pid, 'SIGKILL')
      await server.stop()
    }
    const [idle, beside] = [median(idleP95), median(besideP95)]
    return { quiet_idle_p95_ms: idle, quiet_beside_p95_ms: beside, quiet_room_p95_vs_idle: beside / idle }
  },
}

async function quietP95(quiet: Submitter, worker: Forked): Promise<number> {
  await openLoop(quietJobs, quietEveryMs, (n, sentAt) => quiet.submit({ n, sentAt, busyMs: quietMs }))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const { quiet: waits = [] } = await worker.ask<Waits>({ waits: true })
  if (waits.length !== quietJobs) throw new Error(`the quiet room began ${waits.length} of ${quietJobs} jobs`)
  return quantile(waits, 0.95)
}

/** A backlog that has run dry would make the figure worthless. */
async function requireBacklog(report: (line: string) => void, server: BenchServer): Promise<void> {
  const { pending, completed } = await noopCounts(server, 'busy', 'global')
  report(`the busy room has completed ${completed} jobs meanwhile, ${pending} still wait`)
  if (pending === 0) throw new Error('the backlog ran dry before the quiet room was measured')
}

function rounded(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(' / ')
}
