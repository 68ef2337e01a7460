// Jobs, for the eye: a line for each, or everything about one.

import type { JobStatus, JobSummary, JobView, WhyView } from '@millrace/protocol'
import { nameOf } from '../extension/find-extension.ts'
import { self } from '../output/own-name.ts'
import { showValue } from '../output/show-value.ts'
import { facts, table } from '../output/table.ts'
import type { Paint, Style, Terminal } from '../output/terminal.ts'
import { showAgo, showDuration, showInstant } from '../output/time.ts'
import { errorInWords, outcomeInWords, stageInWords, withCode } from './job-words.ts'

const colours: Readonly<Record<JobStatus, Style>> = {
  pending: 'gray',
  assigned: 'yellow',
  running: 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'magenta',
}

/** Ids begin with the time, which jobs of one moment share; their ends differ. */
const shortLength = 8

export function shortId(id: string): string {
  return id.slice(-shortLength)
}

export function showStatus(status: JobStatus, style: Paint): string {
  return style(colours[status], status)
}

export function extensionOf({ category, extension }: Pick<JobSummary, 'category' | 'extension'>): string {
  return nameOf({ category, name: extension })
}

export function showJobs(
  jobs: readonly JobSummary[],
  { style, width, rooms }: { readonly style: Paint; readonly width: number; readonly rooms: boolean },
): string {
  if (jobs.length === 0) return 'No jobs.'
  const now = Date.now()
  const rows = jobs.map((job) => [
    shortId(job.id),
    ...(rooms ? [job.room] : []),
    extensionOf(job),
    showStatus(job.status, style),
    took(job, now),
    showAgo(job.createdAt, now),
    job.submitter,
    remark(job),
  ])
  return table(
    ['job', ...(rooms ? ['room'] : []), 'extension', 'state', 'took', 'submitted', 'by', 'remark'],
    rows,
    width,
  )
}

/** `why`: of one that waits. */
export function showJob(
  job: JobView,
  terminal: Pick<Terminal, 'style' | 'brief'>,
  why: WhyView | null = null,
): string {
  const { style } = terminal
  const now = Date.now()
  const { id, room, scope, status, submitter, priority, createdAt, waitMs, data, result, error } = job
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['why', why === null ? undefined : withCode(why.sentence, why.reason ?? why.sentence)],
    [
      'waits until',
      job.notBefore !== undefined && status === 'pending' ? showInstant(job.notBefore) : undefined,
    ],
    ['next try', job.retryAt === undefined ? undefined : showInstant(job.retryAt)],
    ['progress', job.progress === undefined ? undefined : progressOf(job.progress)],
    [
      'cancel',
      job.cancel &&
        `asked by ${job.cancel.by}, ${showAgo(job.cancel.requestedAt, now)}: ${stageInWords(job.cancel.stage)}`,
    ],
    ['retry of', job.redriveOf],
    ['retried as', job.redrivenAs],
    ['attempts', job.attempts.map((attempt) => showAttempt(attempt)).join('\n') || undefined],
    ['error', error && style('red', errorInWords(error))],
    ['stack', error?.stack],
  ]
  return facts([
    ['job', id],
    ['room', room],
    ['extension', `${extensionOf(job)} (${scope})`],
    ['state', `${showStatus(status, style)}${deadLetterWords(job)}`],
    [
      'submitted',
      `${showInstant(createdAt)} (${showAgo(createdAt, now)}) by ${submitter}, priority ${priority}`,
    ],
    ...(waitMs === undefined ? [] : [['waited', showDuration(waitMs)] as const]),
    ...(took(job, now) === '' ? [] : [['ran', took(job, now)] as const]),
    ...optional.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ['data', showValue(data, terminal)],
    ...(result === undefined ? [] : [['result', showValue(result, terminal)] as const]),
  ])
}

function deadLetterWords({ id, deadLetter, redrivenAs }: JobView): string {
  if (!deadLetter || redrivenAs !== undefined) return ''
  return `, kept as a dead letter; retry it: ${self} jobs retry ${shortId(id)}`
}

export function progressOf({
  fraction,
  message,
}: {
  readonly fraction: number
  readonly message?: string
}): string {
  const percent = `${Math.floor(fraction * 100)} %`
  return message === undefined || message === '' ? percent : `${percent} ${message}`
}

function showAttempt({ worker, startedAt, endedAt, outcome, error }: JobView['attempts'][number]): string {
  const ran =
    startedAt !== undefined && endedAt !== undefined ? ` after ${showDuration(endedAt - startedAt)}` : ''
  const why = error === undefined ? '' : `: ${error.message}`
  const how =
    outcome === undefined ? (startedAt === undefined ? 'assigned' : 'running') : outcomeInWords(outcome)
  return `on ${worker}: ${how}${ran}${why}`
}

/** How long it ran, or runs. */
function took({ status, runMs, startedAt }: JobSummary, now: number): string {
  if (runMs !== undefined) return showDuration(runMs)
  return status === 'running' && startedAt !== undefined ? showDuration(now - startedAt) : ''
}

function remark({ status, error, progress, deadLetter }: JobSummary): string {
  if (status === 'running' && progress) return progressOf(progress)
  if (error && status !== 'completed') return error.message
  return deadLetter ? 'dead letter' : ''
}
