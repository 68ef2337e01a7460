// The processes that carry the mark of a pool's runners, as /proc knows them, and how to wait for them to be gone.

import { readdirSync, readFileSync } from 'node:fs'

/** Of the runners of one worker: what the marks of them have in common. */
export function poolMark(runnerMark: string): string {
  return `MILLRACE_RUNNER=${runnerMark.split('.')[0]}.`
}

export function marked(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(mark))
    .map(Number)
}

/** A process that has ended and waits for its parent to hear of it counts as gone. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`))
}

export function noneOf(alive: () => readonly number[]): Promise<void> {
  return until(() => alive().length === 0)
}

/** What a file holds once there is something in it. */
export async function written(file: string): Promise<string> {
  await until(() => read(file) !== '')
  return read(file)
}

/** Nobody tells of the end of a process that is not one's child, so it is looked at again and again. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
