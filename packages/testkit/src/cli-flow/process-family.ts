// A process and everything that came of it, as /proc knows them. A member is told from another that later got its number
// by the instant it began.

import { readdirSync, readFileSync } from 'node:fs'

export interface Member {
  readonly pid: number
  readonly parent: number
  readonly begun: string
  /** Of a processor, so far. */
  readonly cpuMs: number
  readonly command: string
}

/** The clock of /proc ticks a hundred times a second. */
const tickMs = 10
const lookMs = 20

export function familyOf(root: number): readonly Member[] {
  const all = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (memberOf(Number(name)) ?? []) : [],
  )
  const family = all.filter(({ pid }) => pid === root)
  for (const parent of family) family.push(...all.filter((each) => each.parent === parent.pid))
  return family
}

/** With -9. Some go by themselves meanwhile, with whoever looked after them: that is no fault. */
export function kill(members: readonly Pick<Member, 'pid'>[]): void {
  for (const { pid } of members) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was gone already.
    }
  }
}

/** Nobody tells of the end of a process that is not one's child, so it is looked at again and again. */
export async function gone(members: readonly Member[]): Promise<void> {
  await until(() => members.every(({ pid, begun }) => memberOf(pid)?.begun !== begun))
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, lookMs))
}

/** Null when there is none, or it has ended and only waits for its parent to hear of it. */
function memberOf(pid: number): Member | null {
  const stat = read(`/proc/${pid}/stat`)
  // The name in brackets may contain anything; what follows is numbers.
  const [state = 'X', parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (stat === '' || state === 'Z' || state === 'X') return null
  const [user, system, begun] = [rest[9], rest[10], rest[17]]
  return {
    pid,
    parent: Number(parent),
    begun: begun ?? '',
    cpuMs: (Number(user) + Number(system)) * tickMs,
    command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
