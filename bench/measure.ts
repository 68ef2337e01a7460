// How fast something was and what it cost: jobs per second on the clock, and CPU time per job of every process and thread
// that took part, which says more on a machine that others use as well.

import { type CpuTimes, cpuTimes, redisCpuMs } from './cpu-time.ts'
import { perSecond } from './figures.ts'
import type { RedisAddress } from './peers/bullmq.ts'

export interface Measured {
  readonly perSecond: number
  /** CPU microseconds per job, by process and thread. */
  readonly cost: string
}

export interface Involved {
  readonly pids: Readonly<Record<string, number>>
  readonly redis: RedisAddress | null
}

export async function measure(
  count: number,
  { pids, redis }: Involved,
  work: () => Promise<void>,
): Promise<Measured> {
  const before = await usedSoFar(pids, redis)
  const speed = await perSecond(count, work)
  const after = await usedSoFar(pids, redis)
  return { perSecond: speed, cost: costOf(before, after, count) }
}

async function usedSoFar(pids: Involved['pids'], redis: RedisAddress | null): Promise<CpuTimes> {
  const times: Record<string, number> = {}
  for (const [process, pid] of Object.entries(pids)) {
    for (const [thread, ms] of Object.entries(cpuTimes(pid))) times[`${process}/${thread}`] = ms
  }
  if (redis) times.redis = await redisCpuMs(redis)
  return times
}

function costOf(before: CpuTimes, after: CpuTimes, count: number): string {
  const used = Object.entries(after)
    .map(([name, ms]) => ({ name, us: ((ms - (before[name] ?? 0)) * 1_000) / count }))
    .filter(({ us }) => us >= 1)
  const total = used.reduce((sum, { us }) => sum + us, 0)
  const parts = used.map(({ name, us }) => `${name} ${Math.round(us)}`)
  return `${parts.join(', ')}; together ${Math.round(total)}`
}
