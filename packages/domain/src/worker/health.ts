// Whether a worker should be given more work, and in words why not. Bad health sets its capacity to zero; what it runs
// already goes on.

import { beatIntervalMs } from './lease.ts'
import type { Worker } from './worker.ts'

export type Health = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Above it the next job is likely to meet the kernel's out-of-memory killer. */
const memoryUsedLimit = 0.9

/** Four times the cores: a process waits three times as long as it runs. Less would idle machines that merely wait for disks. */
const loadPerCoreLimit = 4

/** One beat missed altogether. Earlier than the lease ends, so no job is sent to a worker about to be lost. */
export const beatLateMs: number = 2 * beatIntervalMs

export function healthOf(
  worker: Pick<Worker, 'draining' | 'heardAt' | 'lease' | 'vitals'>,
  now: number,
): Health {
  const reasons = [...presenceReasons(worker, now), ...vitalReasons(worker)]
  return reasons.length === 0 ? { ok: true } : { ok: false, reason: reasons.join('; ') }
}

function presenceReasons(worker: Pick<Worker, 'draining' | 'heardAt' | 'lease'>, now: number): string[] {
  const reasons: string[] = []
  const silentMs = now - worker.heardAt
  if (worker.draining) reasons.push('draining: it finishes what it runs and takes nothing new')
  if (worker.lease.presence === 'away') reasons.push('disconnected')
  if (worker.lease.presence === 'lost') reasons.push('lost')
  if (silentMs > beatLateMs) {
    reasons.push(`beat late: last heard ${Math.round(silentMs / 1_000)} s ago`)
  }
  return reasons
}

function vitalReasons({ vitals }: Pick<Worker, 'vitals'>): string[] {
  if (vitals === null) return []
  const { memoryUsed, load, cores } = vitals
  const reasons: string[] = []
  if (memoryUsed > memoryUsedLimit) {
    const [used, limit] = [Math.round(memoryUsed * 100), Math.round(memoryUsedLimit * 100)]
    reasons.push(`memory ${used} % used (limit ${limit} %)`)
  }
  if (load > loadPerCoreLimit * cores) {
    reasons.push(`load ${load.toFixed(1)} on ${cores} cores (limit ${loadPerCoreLimit * cores})`)
  }
  return reasons
}
