// What the segmented bar of a job shows: how long it was in each state, attempt by attempt, from the instants that the
// server committed. Widths are true shares of the whole, except that what took no time at all can still be seen.

import type { JobStatus } from '@millrace/protocol'
import { isEnded } from './job-row.ts'

/** Earlier: attempts before the last and the waits between them, where a list knows only that there were some. */
export type Phase = 'earlier' | 'pending' | 'assigned' | 'running'

export interface Segment {
  readonly phase: Phase
  readonly from: number
  readonly ms: number
  /** It is still growing. */
  readonly open: boolean
  /** Which try, from 1. */
  readonly attempt: number
  /** How an attempt ended that was not the last. */
  readonly outcome?: string
}

interface Try {
  readonly assignedAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly outcome?: string
}

export interface Timed {
  readonly status: JobStatus
  readonly createdAt: number
  readonly assignedAt?: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly attempts?: readonly Try[]
  /** How many attempts failed so far; the last of one that failed is among them. */
  readonly charged?: number
  /** When the last attempt that is over was, where an event said so. */
  readonly requeuedAt?: number
}

export function segmentsOf(job: Timed, now: number): readonly Segment[] {
  const end = job.endedAt ?? Math.max(now, job.createdAt)
  const tries = triesOf(job)
  const segments: Segment[] = []
  let at = job.createdAt
  if (job.status === 'pending' && !job.attempts && job.requeuedAt !== undefined) {
    segments.push(segment('earlier', at, job.requeuedAt, 1))
    at = job.requeuedAt
  }
  for (const [index, { assignedAt, startedAt, endedAt, outcome }] of tries.entries()) {
    const attempt = index + 1
    const over = endedAt ?? end
    const last = index === tries.length - 1
    segments.push(segment(hasEarlier(job) ? 'earlier' : 'pending', at, assignedAt, attempt))
    segments.push(segment('assigned', assignedAt, startedAt ?? over, attempt))
    if (startedAt !== undefined) {
      const run = segment('running', startedAt, over, attempt)
      segments.push(!last && outcome !== undefined ? { ...run, outcome } : run)
    }
    at = over
  }
  if (job.status === 'pending' || tries.length === 0)
    segments.push(segment('pending', at, end, tries.length + 1))
  return opened(segments, job.status)
}

/** A list knows the last try only; and a job that is pending again has its last try behind it. */
function triesOf({ attempts, assignedAt, startedAt, endedAt, status }: Timed): readonly Try[] {
  if (attempts) return attempts
  if (assignedAt === undefined || status === 'pending') return []
  return [
    { assignedAt, ...(startedAt !== undefined && { startedAt }), ...(endedAt !== undefined && { endedAt }) },
  ]
}

function hasEarlier({ attempts, charged = 0, requeuedAt, status }: Timed): boolean {
  return !attempts && (requeuedAt !== undefined || charged > (status === 'failed' ? 1 : 0))
}

function segment(phase: Phase, from: number, to: number, attempt: number): Segment {
  return { phase, from, ms: Math.max(0, to - from), open: false, attempt }
}

function opened(segments: readonly Segment[], status: JobStatus): readonly Segment[] {
  if (isEnded(status)) return segments
  return segments.map((each, index) => (index === segments.length - 1 ? { ...each, open: true } : each))
}

/** Less than this share of the bar cannot be seen, nor pointed at. */
const leastShare = 0.015

/** Shares of the whole, which they add up to; those too thin to be seen take from the others. */
export function sharesOf(lengths: readonly number[], least: number = leastShare): readonly number[] {
  const floor = Math.min(least, 1 / lengths.length)
  const thin = new Set<number>()
  // What the thin ones take may make another thin.
  for (;;) {
    const left = 1 - thin.size * floor
    const thick = lengths.reduce((sum, each, index) => (thin.has(index) ? sum : sum + each), 0)
    if (thick === 0) return lengths.map(() => 1 / lengths.length)
    const shares = lengths.map((each, index) => (thin.has(index) ? floor : (each / thick) * left))
    const next = shares.findIndex((share, index) => share < floor && !thin.has(index))
    if (next < 0) return shares
    thin.add(next)
  }
}

export function totalMs(segments: readonly Segment[]): number {
  return segments.reduce((sum, { ms }) => sum + ms, 0)
}
