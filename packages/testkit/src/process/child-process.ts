// A child process whose lines can be waited for and that never outlives the test process that started it.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { atExit } from './at-exit.ts'

export interface ChildLines {
  readonly pid: number
  /** Everything printed so far, both streams, in the order it came. */
  readonly lines: readonly string[]
  /** Resolves with the first line, past or to come, that the test accepts; rejects when the process ends before. */
  line(accept: (line: string) => boolean): Promise<string>
  /** Resolves when this many lines have been printed. */
  count(lines: number): Promise<void>
  /** SIGKILL, and resolves when the process is gone and its last line is read. */
  kill(): Promise<void>
  readonly ended: Promise<void>
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const alive = new Set<Child>()
atExit(() => {
  for (const child of alive) child.kill('SIGKILL')
})

export function startChild(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ChildLines {
  const env = { ...process.env, ...variables }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  alive.add(child)
  const lines: string[] = []
  const watchers = new Set<() => void>()
  const wake = (): void => {
    for (const watcher of [...watchers]) watcher()
  }
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      wake()
    })
  }
  const ended = endOf(child)
  void ended.then(wake)

  const until = (holds: () => boolean, wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds() && alive.has(child)) return
        watchers.delete(look)
        if (holds()) resolve()
        else reject(new Error(`${command} ended before ${wanted}:\n${lines.slice(-20).join('\n')}`))
      }
      watchers.add(look)
      look()
    })

  return {
    pid: child.pid ?? -1,
    lines,
    line: async (accept) => {
      await until(() => lines.some(accept), 'the line that was waited for')
      return lines.find(accept) ?? ''
    },
    count: (wanted) => until(() => lines.length >= wanted, `printing ${wanted} lines`),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}

// `close` comes after both streams have ended, so no printed line is missed; `error` when it could not be started.
function endOf(child: Child): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      alive.delete(child)
      resolve()
    }
    child.once('close', end)
    child.once('error', end)
  })
}
