// The texts of a job that transitions replace: its head and its attempt (its body is submission-text.ts). Both are arrays
// in a fixed order: half the bytes of objects, and every transition of every job writes, logs, syncs and reads them.
// Instants but the first are told by what they are later than it: writing thirteen digits costs more than all else. The
// head's leading number is the format of both, so that a later one is refused and not misread.

import type { Attempt, EndedAttempt, HistoryEntry, Job, JobHead, JobStatus } from '@millrace/domain'

const format = 2
/** Of the first format are jobs whose stories were written out. */
const formats: readonly number[] = [1, format]
const statuses: readonly JobStatus[] = ['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']

/** What nearly every story is made of; a reason is told by its place here, and whoever acted by their ended attempt's. */
const reasons: readonly string[] = ['submitted', 'assigned', 'started', 'completed']

type HistoryText = [later: number, status: number, reason: string | number, by?: string | number]
type AttemptText = [token: Attempt['token'], worker: Attempt['worker'], assigned: number, acceptMs: number]
/** Both as how much later than the assignment. */
type StartedText = [started: number, runUntil: number]
type EndedText = [
  AttemptText,
  StartedText | 0,
  ended: number,
  EndedAttempt['outcome'],
  EndedAttempt['error']?,
]

/** What few jobs have; absent for the others. */
type Rare = Pick<JobHead, 'retryAt' | 'progress' | 'cancel' | 'error' | 'redrivenAs' | 'redrivenAt'>
type Ending = [ended: number, waitMs: number, runMs: number | null]
type HeadText = [
  format: number,
  status: number,
  queued: 0 | 1,
  charged: number,
  uncharged: number,
  deadLetter: 0 | 1,
  since: number,
  history: HistoryText[],
  ended: EndedText[],
  ending: Ending | 0,
  rare?: Rare,
]

export function encodeHead(job: Job): string {
  const { endedAt, waitMs = 0, runMs = null } = job
  const since = job.history[0]?.at ?? 0
  const ending: Ending | 0 = endedAt === undefined ? 0 : [endedAt - since, waitMs, runMs]
  const text: HeadText = [
    format,
    statuses.indexOf(job.status),
    job.queued ? 1 : 0,
    job.charged,
    job.uncharged,
    job.deadLetter ? 1 : 0,
    since,
    job.history.map((entry) => historyText(entry, since, job.ended)),
    job.ended.map((ended) => endedText(ended, since)),
    ending,
  ]
  const rare = rareOf(job)
  if (rare) text.push(rare)
  return JSON.stringify(text)
}

let lastHeadText = ''
let lastHead: JobHead | null = null

/** Jobs of one batch that have not begun have the same head, to the letter; nobody changes one. */
export function decodeHead(text: string): JobHead {
  if (lastHead !== null && text === lastHeadText) return lastHead
  lastHead = readHead(text)
  lastHeadText = text
  return lastHead
}

function readHead(text: string): JobHead {
  const [itsFormat, status, queued, charged, uncharged, deadLetter, since, history, ended, ending, rare] =
    JSON.parse(text) as HeadText
  if (!formats.includes(itsFormat))
    throw new Error(`a job is written in format ${itsFormat}, and this Millrace knows ${format}`)
  const attempts = ended.map((each) => readEnded(each, since))
  return {
    status: statusAt(status),
    queued: queued === 1,
    ended: attempts,
    charged,
    uncharged,
    deadLetter: deadLetter === 1,
    history: history.map((entry) => readHistory(entry, since, attempts)),
    ...(ending !== 0 && {
      endedAt: since + ending[0],
      waitMs: ending[1],
      ...(ending[2] !== null && { runMs: ending[2] }),
    }),
    ...rare,
  }
}

export function encodeAttempt(attempt: Attempt): string {
  const started = startedText(attempt)
  return JSON.stringify(started === 0 ? attemptText(attempt, 0) : [...attemptText(attempt, 0), ...started])
}

export function decodeAttempt(text: string): Attempt {
  const [token, worker, assignedAt, acceptMs, started, runUntil] = JSON.parse(text) as [
    ...AttemptText,
    ...Partial<StartedText>,
  ]
  const attempt = { token, worker, assignedAt, acceptBy: assignedAt + acceptMs }
  if (started === undefined || runUntil === undefined) return attempt
  return { ...attempt, startedAt: assignedAt + started, runUntil: assignedAt + runUntil }
}

function rareOf({ retryAt, progress, cancel, error, redrivenAs, redrivenAt }: Job): Rare | null {
  const isPlain = retryAt === undefined && !progress && !cancel && !error && redrivenAs === undefined
  if (isPlain) return null
  return {
    ...(retryAt !== undefined && { retryAt }),
    ...(progress && { progress }),
    ...(cancel && { cancel }),
    ...(error && { error }),
    ...(redrivenAs !== undefined && { redrivenAs }),
    ...(redrivenAt !== undefined && { redrivenAt }),
  }
}

type Attempts = readonly EndedAttempt[]

function historyText({ at, status, reason, by }: HistoryEntry, since: number, ended: Attempts): HistoryText {
  const [later, number, known] = [at - since, statuses.indexOf(status), reasons.indexOf(reason)]
  const because = known < 0 ? reason : known
  if (by === undefined) return [later, number, because]
  const acted = ended.findIndex(({ worker }) => worker === by)
  return [later, number, because, acted < 0 ? by : acted]
}

function readHistory(text: HistoryText, since: number, ended: Attempts): HistoryEntry {
  const [later, number, because, acted] = text
  const [at, status] = [since + later, statusAt(number)]
  const reason = typeof because === 'number' ? (reasons[because] ?? '') : because
  if (acted === undefined) return { at, status, reason }
  return { at, status, reason, by: typeof acted === 'number' ? (ended[acted]?.worker ?? '') : acted }
}

function attemptText({ token, worker, assignedAt, acceptBy }: Attempt, since: number): AttemptText {
  return [token, worker, assignedAt - since, acceptBy - assignedAt]
}

function startedText({ assignedAt, startedAt, runUntil }: Attempt): StartedText | 0 {
  return startedAt === undefined ? 0 : [startedAt - assignedAt, (runUntil ?? startedAt) - assignedAt]
}

function endedText(ended: EndedAttempt, since: number): EndedText {
  const { endedAt, outcome, error } = ended
  const attempt = attemptText(ended, since)
  const started = startedText(ended)
  return error
    ? [attempt, started, endedAt - since, outcome, error]
    : [attempt, started, endedAt - since, outcome]
}

function readEnded(text: EndedText, since: number): EndedAttempt {
  const [[token, worker, assigned, acceptMs], started, ended, outcome, error] = text
  const assignedAt = since + assigned
  return {
    token,
    worker,
    assignedAt,
    acceptBy: assignedAt + acceptMs,
    ...(started !== 0 && { startedAt: assignedAt + started[0], runUntil: assignedAt + started[1] }),
    endedAt: since + ended,
    outcome,
    ...(error && { error }),
  }
}

function statusAt(number: number): JobStatus {
  const status = statuses[number]
  if (!status) throw new Error(`a job is written with status ${number}, which does not exist`)
  return status
}
