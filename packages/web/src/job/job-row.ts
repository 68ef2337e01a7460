// A job as lists show it, and how an event of the feed changes it. Events carry little; what they say with the instant at
// which it was committed is enough to keep every row of a list true.

import type { JobStatus, JobSummary } from '@millrace/protocol'

type Sparse = 'scope' | 'priority' | 'deadLetter' | 'charged'

/** A row that came by an event lacks what only a fetch brings, and has what only an event says. */
export type JobRow = Omit<JobSummary, Sparse> &
  Partial<Pick<JobSummary, Sparse>> & {
    readonly cancelStage?: string
    /** When an attempt was over and it went back to wait for another. */
    readonly requeuedAt?: number
  }

export interface JobPatch {
  readonly id: string
  readonly room: string
  readonly at: number
  readonly status: JobStatus
  readonly category?: string
  readonly extension?: string
  readonly submitter?: string
  readonly worker?: string
  readonly cancel?: string
  readonly waitMs?: number
  readonly runMs?: number
}

export function isEnded(status: JobStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** The last instant that a row knows of: what happened before is news no longer. */
function knownAt({ createdAt, assignedAt = 0, startedAt = 0, endedAt = 0, requeuedAt = 0 }: JobRow): number {
  return Math.max(createdAt, assignedAt, startedAt, endedAt, requeuedAt)
}

export function patchRow<Row extends JobRow>(row: Row, patch: JobPatch): Row {
  // Told again, the submit of a job would look like its return to the queue.
  if (patch.at < knownAt(row) || patch.category !== undefined) return row
  const { status, at, worker, cancel, waitMs, runMs } = patch
  const { progress: _progress, cancelStage: _stage, assignedAt, startedAt, ...kept } = row
  const moved = status !== row.status
  // Of an attempt that is over nothing is left where another begins.
  const begins = moved && (status === 'pending' || status === 'assigned')
  return {
    ...kept,
    ...(!begins && assignedAt !== undefined && { assignedAt }),
    ...(!begins && startedAt !== undefined && { startedAt }),
    ...(!moved && row.progress && { progress: row.progress }),
    status,
    ...(worker !== undefined && { worker }),
    ...(cancel !== undefined && { cancelStage: cancel }),
    ...(waitMs !== undefined && { waitMs }),
    ...(runMs !== undefined && { runMs }),
    ...(moved && instantOf(status, at)),
  } as Row
}

function instantOf(
  status: JobStatus,
  at: number,
): Partial<Record<'requeuedAt' | 'assignedAt' | 'startedAt' | 'endedAt', number>> {
  if (status === 'pending') return { requeuedAt: at }
  if (status === 'assigned') return { assignedAt: at }
  if (status === 'running') return { startedAt: at }
  return isEnded(status) ? { endedAt: at } : {}
}

/** A row for a job that was just submitted; null where the patch does not say enough. */
export function rowOfPatch({
  id,
  room,
  at,
  status,
  category,
  extension,
  submitter,
}: JobPatch): JobRow | null {
  if (category === undefined || extension === undefined || submitter === undefined) return null
  return { id, room, category, extension, submitter, status, createdAt: createdAtOf(id) ?? at }
}

/** Ids are UUIDs of version 7, which begin with the instant at which they were made. */
export function createdAtOf(id: string): number | null {
  const found = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id)
  return found ? Number.parseInt(`${found[1]}${found[2]}`, 16) : null
}
