// CPU time that processes have used, by thread, as Linux counts it: on a machine that others use as well it says more
// than the clock on the wall. Elsewhere there is none to be had and nothing is said.

import { readdirSync, readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import type { RedisAddress } from './peers/bullmq.ts'

/** Milliseconds by name of the thread; the threads that the engine keeps for itself are one. */
export type CpuTimes = Readonly<Record<string, number>>

/** The kernel counts in hundredths of a second. */
const tickMs = 10

export function cpuTimes(pid: number): CpuTimes {
  const times: Record<string, number> = {}
  for (const { name, ms } of threadsOf(pid)) times[name] = (times[name] ?? 0) + ms
  return times
}

export async function redisCpuMs({ host, port }: RedisAddress): Promise<number> {
  const client = new Redis({ host, port })
  const info = await client.info('cpu')
  client.disconnect()
  const used = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0)
  return (used('used_cpu_user') + used('used_cpu_sys')) * 1_000
}

export function rssKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN)
}

interface Thread {
  readonly name: string
  readonly ms: number
}

function threadsOf(pid: number): readonly Thread[] {
  if (process.platform !== 'linux') return []
  return readdirSync(`/proc/${pid}/task`).flatMap((id) => {
    const stat = read(`/proc/${pid}/task/${id}/stat`)
    // The name stands in parentheses and may hold anything; fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ms = (Number(fields[11]) + Number(fields[12])) * tickMs
    return Number.isNaN(ms) ? [] : [{ name: id === String(pid) ? 'main' : nameOf(stat), ms }]
  })
}

function nameOf(stat: string): string {
  return stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
