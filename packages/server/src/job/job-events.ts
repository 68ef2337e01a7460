// What the log says of a job: one event for each change of it, as the text that the store keeps and sockets pass on.

import { isTerminal, type Job, type Submission } from '@millrace/domain'
import type { Announcement } from '../ports/store.ts'
import { jobKey } from './job-record.ts'

export const jobChanged = 'job:state_changed'
const jobProgressed = 'job:progress'

type Shown = Pick<Submission, 'category' | 'extension' | 'submitter'> & Pick<Job, 'status'>

let lastShown: Shown | null = null
let lastNew = ''

/** A new job is told with what a list shows of it, which the jobs of a batch share; later events carry what changed. */
export function announceNewJob({ submission, status }: Job): Announcement {
  const { id, category, extension, submitter } = submission
  if (!(lastShown && isSame(lastShown, submission) && lastShown.status === status)) {
    lastShown = { status, category, extension, submitter }
    lastNew = JSON.stringify({ type: jobChanged, ...lastShown })
  }
  return { subject: jobKey(id), event: lastNew }
}

export function announceJob(before: Job, job: Job): Announcement {
  return { subject: jobKey(job.submission.id), event: textOf(before, job) }
}

interface JobEnd {
  readonly status: string
  readonly waitMs: number | undefined
  readonly runMs: number | undefined
}

let lastEnd: JobEnd | null = null
let lastEndText = ''

/** Jobs that ended together are told of in the same words; numbers need no quotes. */
function textOf(before: Job, job: Job): string {
  const { status, waitMs, runMs } = job
  if (!isTerminal(status)) return JSON.stringify(eventOf(before, job))
  if (lastEnd?.status === status && lastEnd.waitMs === waitMs && lastEnd.runMs === runMs) return lastEndText
  const wait = waitMs === undefined ? '' : `,"waitMs":${waitMs}`
  const run = runMs === undefined ? '' : `,"runMs":${runMs}`
  lastEnd = { status, waitMs, runMs }
  lastEndText = `{"type":"${jobChanged}","status":"${status}"${wait}${run}}`
  return lastEndText
}

/** Progress is told by an event of its own: it changes no state, and whoever misses it has missed nothing lasting. */
function eventOf(before: Job, job: Job): Record<string, unknown> {
  const { status, attempt, progress, cancel } = job
  if (status === before.status && progress !== before.progress && cancel === before.cancel)
    return { type: jobProgressed, fraction: progress?.fraction, message: progress?.message }
  return { type: jobChanged, status, worker: attempt?.worker, cancel: cancel?.stage }
}

function isSame(a: Omit<Shown, 'status'>, b: Omit<Shown, 'status'>): boolean {
  return a.extension === b.extension && a.submitter === b.submitter && a.category === b.category
}
