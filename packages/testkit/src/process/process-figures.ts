// What the system says about a process: the memory it takes and the files it has open. Linux only; elsewhere nothing.

import { readdirSync, readFileSync } from 'node:fs'

/** In bytes; 0 when the process is gone or the system does not tell. */
export function residentBytes(pid: number): number {
  return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
}

export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** How many files a process of this one may have open at most. */
export function maxOpenFiles(): number {
  const hard = /^Max open files\s+\S+\s+(\d+|unlimited)/m.exec(textOf('/proc/self/limits'))?.[1] ?? '0'
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
