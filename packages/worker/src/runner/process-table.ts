// The processes under a runner as Linux tells of them in /proc. A process is named by its id and its start, because an id
// alone may belong to somebody else a moment later. Elsewhere nothing is found.

import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessName {
  readonly pid: number
  /** In ticks since the machine was started. */
  readonly startedAt: number
}

export const hasProcessTable: boolean = process.platform === 'linux'

/** Null when there is no such process, or only what its parent has not yet collected. */
export function processNamed(pid: number): ProcessName | null {
  const [state = '', ...fields] = statOf(pid)
  return state === 'Z' || state === 'X' || state === '' ? null : { pid, startedAt: Number(fields[18]) }
}

/**
 * Grows with every child that has ended and was collected: the page faults of all of them together, without which no
 * process comes to life. So a process that had a child for a moment can be told from one that had none.
 */
export function tracesOfChildren(pid: number): number {
  return Number(statOf(pid)[8] ?? 0)
}

export function isAlive({ pid, startedAt }: ProcessName): boolean {
  return processNamed(pid)?.startedAt === startedAt
}

/** Everything that descends from this process and has not been left behind by its parent; itself not included. */
export function descendantsOf(pid: number): readonly ProcessName[] {
  const found: ProcessName[] = []
  const seen = new Set([pid])
  const open = [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of childrenOf(next)) {
      if (seen.has(child)) continue
      seen.add(child)
      open.push(child)
      const name = processNamed(child)
      if (name) found.push(name)
    }
  }
  return found
}

/** Memory that nobody else has and that is backed by no file, in kB. */
export function memoryOf(pid: number): number {
  const status = read(`/proc/${pid}/status`)
  return amountIn(status, 'RssAnon') + amountIn(status, 'RssShmem')
}

/** Never one that has taken over the id of another. */
export function killAll(processes: Iterable<ProcessName>): void {
  for (const each of processes) {
    if (!isAlive(each)) continue
    try {
      process.kill(each.pid, 'SIGKILL')
    } catch {
      // It was gone already, or belongs to a user that only root could touch.
    }
  }
}

/** What follows the command, which stands in parentheses and may contain anything: the state, then numbers. */
function statOf(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function amountIn(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
}

/** What cannot be read belongs to a process that is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
