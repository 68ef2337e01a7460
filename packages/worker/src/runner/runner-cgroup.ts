// A control group (v2) for each runner, where the system has given us one to divide: the kernel then holds the limits of
// memory and processor for the runner with everything it starts, and ends all of it at once. Whatever cannot be done
// here is left to the other means, so nothing throws.

import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyRunnerMb } from './runner-options.ts'

interface CgroupLimits {
  readonly memoryMb: number
  readonly cpus?: number
}

const mount = '/sys/fs/cgroup'
const prefix = 'millrace-'
const periodUs = 100_000

/** The parent of our own group if it was delegated to our user; what root could write to belongs to systemd. */
export function delegatedGroup(): string | null {
  const own = /^0::(\/.+)$/m.exec(textOf('/proc/self/cgroup'))?.[1]
  const uid = process.getuid?.() ?? 0
  if (own === undefined || uid === 0) return null
  const parent = join(mount, dirname(own))
  try {
    return statSync(join(parent, 'cgroup.procs')).uid === uid ? parent : null
  } catch {
    return null
  }
}

export class CgroupHome {
  readonly #folder: string
  readonly #limits: CgroupLimits
  #count = 0

  private constructor(folder: string, limits: CgroupLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** Null when the folder is no group whose memory we may divide. */
  static open(folder: string, limits: CgroupLimits): CgroupHome | null {
    const has = (file: string): boolean => textOf(join(folder, file)).split(/\s+/).includes('memory')
    if (!has('cgroup.controllers')) return null
    if (!has('cgroup.subtree_control')) write(join(folder, 'cgroup.subtree_control'), '+memory +cpu')
    if (!has('cgroup.subtree_control')) return null
    removeAbandoned(folder)
    return new CgroupHome(folder, limits)
  }

  /** Null when it could not be made. */
  make(): RunnerCgroup | null {
    this.#count += 1
    const folder = join(this.#folder, `${prefix}${process.pid}-${this.#count}`)
    try {
      mkdirSync(folder)
    } catch {
      return null
    }
    const group = new RunnerCgroup(folder)
    return group.limit(this.#limits) ? group : null
  }
}

export class RunnerCgroup {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  limit({ memoryMb, cpus }: CgroupLimits): boolean {
    const file = (name: string): string => join(this.#folder, name)
    if (cpus !== undefined) write(file('cpu.max'), `${Math.round(cpus * periodUs)} ${periodUs}`)
    // A job that has lost one of its processes is of no use, and swapped memory is memory.
    write(file('memory.oom.group'), '1')
    write(file('memory.swap.max'), '0')
    if (write(file('memory.max'), String((memoryMb + emptyRunnerMb) * 1024 * 1024))) return true
    this.remove()
    return false
  }

  /** False when the process could not be put into the group. */
  enter(pid: number): boolean {
    return write(join(this.#folder, 'cgroup.procs'), String(pid))
  }

  get ranOutOfMemory(): boolean {
    return /^oom_kill [1-9]/m.test(textOf(join(this.#folder, 'memory.events')))
  }

  kill(): void {
    write(join(this.#folder, 'cgroup.kill'), '1')
  }

  /** A group that still has processes stays, and goes when its worker next starts. */
  remove(): void {
    try {
      rmdirSync(this.#folder)
    } catch {
      // Its last process is not quite gone.
    }
  }
}

/** Of workers that were killed. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${prefix}(\\d+)-\\d+$`).exec(name)?.[1]
    if (pid === undefined || textOf(`/proc/${pid}/stat`) !== '') continue
    const group = new RunnerCgroup(join(folder, name))
    group.kill()
    group.remove()
  }
}

function write(path: string, text: string): boolean {
  try {
    writeFileSync(path, text)
    return true
  } catch {
    return false
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
