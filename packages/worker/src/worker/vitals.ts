// How the machine under the worker is doing. Many workers may live in one process, so it is looked at once a second at
// most, however many ask.

import { readFileSync } from 'node:fs'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import type { Beat } from '@millrace/protocol'

type Vitals = NonNullable<Beat['vitals']>

const freshMs = 1_000

let latest: Vitals | null = null
let lookedAt = 0

export function vitals(): Vitals {
  const now = performance.now()
  if (latest === null || now - lookedAt >= freshMs) {
    latest = { memoryUsed: memoryUsed(), load: loadavg()[0] ?? 0, cores: countCores() }
    lookedAt = now
  }
  return latest
}

let cores = 0

/** Those of the whole machine, also inside a container: the load average is that of the whole machine as well. */
function countCores(): number {
  cores ||= Math.max(1, cpus().length)
  return cores
}

function memoryUsed(): number {
  // macOS fills free memory with caches that it gives up at once, so what is "free" there says nothing.
  if (process.platform === 'darwin') return 0
  const ofMachine = 1 - freemem() / totalmem()
  return Math.min(1, Math.max(0, ofMachine, memoryUsedOfGroup()))
}

/** Share of the control group's limit, where there is one. */
function memoryUsedOfGroup(): number {
  if (process.platform !== 'linux') return 0
  try {
    const folder = groupFolder()
    const limit = Number(readFileSync(`${folder}/memory.max`, 'utf8'))
    if (!Number.isFinite(limit) || limit <= 0) return 0
    const used = Number(readFileSync(`${folder}/memory.current`, 'utf8'))
    // Cached files count as used, but the kernel drops them before it lets anybody go hungry.
    const cached = /^inactive_file (\d+)$/m.exec(readFileSync(`${folder}/memory.stat`, 'utf8'))?.[1] ?? '0'
    return (used - Number(cached)) / limit
  } catch {
    return 0
  }
}

let folder: string | null = null

function groupFolder(): string {
  folder ??= `/sys/fs/cgroup${/^0::(.+)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? ''}`
  return folder
}
