// millrace worker --watch: the file runs in a process of its own. When one of its files changes, that process withdraws
// its extensions, lets its jobs end for a moment and goes; then the new version registers, so no two are there at once.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative, resolve } from 'node:path'
import type { Terminal } from '../output/terminal.ts'
import { ownMain } from '../process/own-main.ts'
import { stopRequest } from '../process/stop-request.ts'
import { type FileStamp, stampFile } from './file-stamp.ts'
import { FileWatch } from './file-watch.ts'

/** Longer than a worker that we made waits for its jobs and its last reports; a handler that blocks never hears of it. */
const patienceMs = 12_000

export async function watchWorker(file: string, terminal: Terminal): Promise<void> {
  const args = process.argv.slice(2).filter((word) => word !== '--watch')
  let current: Run | null = null
  const stop = stopRequest(() => current?.kill()).then(() => null)
  for (let goesOn = true; goesOn; ) {
    current = startRun(file, args)
    goesOn = await seeThrough(current, stop, terminal)
    await current.end()
  }
}

/** Answers whether there is to be another run. */
async function seeThrough(run: Run, stop: Promise<null>, terminal: Terminal): Promise<boolean> {
  const { changed } = run.files
  if ((await Promise.race([stop, changed, run.ended])) === 'ended') {
    terminal.say('Waiting for a change; Ctrl-C ends this.')
  }
  const path = await Promise.race([stop, changed])
  if (path !== null) terminal.say(`${relative('.', path)} changed, running it anew`)
  return path !== null
}

interface Run {
  readonly files: FileWatch
  readonly ended: Promise<'ended'>
  end(): Promise<void>
  kill(): void
}

function startRun(file: string, args: readonly string[]): Run {
  const files = new FileWatch()
  files.add(stampFile(resolve(file)))
  const child = spawn(process.execPath, [...process.execArgv, ownMain, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A group of its own: Ctrl-C reaches this process alone, which then ends the other once.
    detached: true,
  })
  child.on('message', (stamp) => files.add(stamp as FileStamp))
  const ended = once(child, 'exit').then(() => 'ended' as const)
  const kill = (): void => killGroup(child)
  return {
    files,
    ended,
    kill,
    end: async () => {
      files.close()
      child.kill('SIGTERM')
      const timer = setTimeout(kill, patienceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}
