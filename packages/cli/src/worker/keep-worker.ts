// millrace worker, without --watch: the file runs once, and this process waits for its end or for Ctrl-C.

import { constants } from 'node:os'
import type { Terminal } from '../output/terminal.ts'
import { stopRequest } from '../process/stop-request.ts'
import { type RunEnd, WorkerRun } from './worker-run.ts'

const blocked =
  'It stops when that lets go; Ctrl-C again ends it now. With --isolation process jobs cannot do this.'

/** Ends with the exit code of what it looked after. */
export async function keepWorker(terminal: Terminal): Promise<void> {
  const run = new WorkerRun((extension) => sayBlocked(extension, terminal))
  const stop = stopRequest(() => endNow(run, terminal)).then(() => null)
  const end = await Promise.race([stop, run.ended])
  process.exitCode = end === null ? await stopInOrder(run, terminal) : exitCodeOf(end, terminal)
}

async function stopInOrder(run: WorkerRun, terminal: Terminal): Promise<number> {
  terminal.say('Stopping. Ctrl-C again does not wait.')
  await run.stop(terminal, blocked)
  const end = await run.ended
  terminal.say('Stopped.')
  // One that had not begun to serve ends by the signal itself.
  return end === 'SIGTERM' ? 0 : exitCodeOf(end, terminal)
}

/** Also for --watch. */
export function endNow(run: WorkerRun | null, terminal: Terminal): void {
  if (run === null || run.hasEnded) return
  run.kill()
  terminal.say('Ended at once. What it was running is run again, here or by another worker.')
}

/** Also for --watch. The server waits for a lease of 15 s, which beats renew. */
export function sayBlocked(extension: string | null, terminal: Terminal): void {
  const job = extension === null ? 'a job' : `a job of ${extension}`
  terminal.warn(
    `${job} keeps the event loop busy. The server takes jobs back from a worker that it does not hear for 15 s. ` +
      'Run it with --isolation process, or await something now and then.',
  )
}

function exitCodeOf(end: RunEnd, terminal: Terminal): number {
  if (typeof end === 'number') return end
  terminal.warn(`the worker's process was ended by ${end}`)
  return 128 + constants.signals[end]
}
