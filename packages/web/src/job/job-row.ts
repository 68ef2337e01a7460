// A job as lists show it, and how an event of the feed changes it. Events carry little; what they say with the instant at
// which it was committed is enough to keep every row of a list true.

import type { JobStatus, JobSummary } from '@millrace/protocol'

type Sparse = 'scope' | 'priority' | 'deadLetter' | 'charged'

/** A row that came by an event lacks what only a fetch brings. */
export type JobRow = Omit<JobSummary, Sparse> &
  Partial<Pick<JobSummary, Sparse>> & { readonly cancelStage?: string }

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
function knownAt({ createdAt, assignedAt = 0, startedAt = 0, endedAt = 0 }: JobRow): number {
  return Math.max(createdAt, assignedAt, startedAt, endedAt)
}

export function patchRow<Row extends JobRow>(row: Row, patch: JobPatch): Row {
  if (patch.at < knownAt(row)) return row
  const { status, at, worker, cancel, waitMs, runMs } = patch
  const { progress: _progress, cancelStage: _stage, ...kept } = row
  return {
    ...kept,
    ...(status === row.status && row.progress && { progress: row.progress }),
    status,
    ...(worker !== undefined && { worker }),
    ...(cancel !== undefined && { cancelStage: cancel }),
    ...(waitMs !== undefined && { waitMs }),
    ...(runMs !== undefined && { runMs }),
    ...(status !== row.status && instantOf(status, at)),
  } as Row
}

function instantOf(
  status: JobStatus,
  at: number,
): Partial<Record<'assignedAt' | 'startedAt' | 'endedAt', number>> {
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
function createdAtOf(id: string): number | null {
  const found = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id)
  return found ? Number.parseInt(`${found[1]}${found[2]}`, 16) : null
}
