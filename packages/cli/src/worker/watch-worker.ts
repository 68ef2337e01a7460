// millrace worker --watch: when one of the worker's files changes, its process withdraws its extensions, lets its jobs end
// for a moment and goes; then the new version registers, so no two are there at once.

import { relative, resolve } from 'node:path'
import type { Target } from '../connection/target.ts'
import type { Terminal } from '../output/terminal.ts'
import { stopRequest } from '../process/stop-request.ts'
import { stampFile } from './file-stamp.ts'
import { FileWatch } from './file-watch.ts'
import { endNow, sayBlocked } from './keep-worker.ts'
import { sameServer } from './same-server.ts'
import { WorkerRun } from './worker-run.ts'

/** Longer than a worker that we made waits for its jobs and its last reports; a handler that blocks never hears of it. */
const patienceMs = 12_000
const blocked = `It is ended in ${patienceMs / 1_000} s; Ctrl-C again ends it now.`

export async function watchWorker(file: string, target: Target, terminal: Terminal): Promise<void> {
  let current: WatchedRun | null = null
  const stop = stopRequest(() => endNow(current?.run ?? null, terminal)).then(() => null)
  for (let goesOn = true; goesOn; ) {
    current = startRun(file, target, terminal)
    goesOn = await seeThrough(current, stop, terminal)
    await end(current, terminal)
  }
  terminal.say('Stopped.')
}

interface WatchedRun {
  readonly run: WorkerRun
  readonly files: FileWatch
}

/** Answers whether there is to be another run. */
async function seeThrough(
  { run, files: { changed } }: WatchedRun,
  stop: Promise<null>,
  terminal: Terminal,
): Promise<boolean> {
  const ended = run.ended.then(() => 'ended' as const)
  if ((await Promise.race([stop, changed, ended])) === 'ended') {
    terminal.say('Waiting for a change; Ctrl-C ends this.')
  }
  const path = await Promise.race([stop, changed])
  const isStopped = path === null
  terminal.say(
    isStopped ? 'Stopping. Ctrl-C again does not wait.' : `${relative('.', path)} changed, running it anew`,
  )
  return !isStopped
}

function startRun(file: string, target: Target, terminal: Terminal): WatchedRun {
  const files = new FileWatch()
  files.add(stampFile(resolve(file)))
  const onBlocked = (extension: string | null): void => sayBlocked(extension, terminal)
  return {
    files,
    run: new WorkerRun(onBlocked, (stamp) => files.add(stamp), sameServer(target, process.env)),
  }
}

async function end({ run, files }: WatchedRun, terminal: Terminal): Promise<void> {
  files.close()
  if (run.hasEnded) return
  const timer = setTimeout(() => run.kill(), patienceMs)
  await run.stop(terminal, blocked)
  await run.ended
  clearTimeout(timer)
}
