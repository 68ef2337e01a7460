// The texts of a job that transitions replace: its head and its attempt (its body is submission-text.ts). Both are arrays
// in a fixed order: half the bytes of objects, and every transition of every job writes, logs, syncs and reads them.
// Instants but the first are told by what they are later than it: writing thirteen digits costs more than all else. The
// head's leading number is the format of both, so that a later one is refused and not misread.

import type { Attempt, EndedAttempt, HistoryEntry, Job, JobHead, JobStatus } from '@millrace/domain'
import { isEndedAlike, isSameEntry } from './alike-heads.ts'

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
  rare?: Rare | 0,
  result?: string,
]

let lastNew: HistoryEntry | null = null
let lastNewText = ''

/** Jobs of one batch that have not begun have the same head, to the letter: it is written once. */
export function encodeHead(job: Job): string {
  if (!isNew(job))
    return job.ended.length === 1 ? writeEnded(job, job.ended[0] as EndedAttempt) : writeHead(job)
  const [entry] = job.history
  if (lastNew === null || !entry || !isSameEntry(entry, lastNew)) {
    lastNewText = writeHead(job)
    lastNew = entry ?? null
  }
  return lastNewText
}

/** Waits in its queue as it was submitted. */
function isNew(job: Job): boolean {
  const { status, queued, history, ended, charged, uncharged } = job
  return (
    status === 'pending' &&
    queued &&
    history.length === 1 &&
    ended.length === 0 &&
    charged + uncharged === 0 &&
    rareOf(job) === null
  )
}

let lastEnded: { readonly head: JobHead; readonly front: string; readonly back: string } | null = null

/** Jobs of one batch that ran once and ended together differ in their token and result alone: the rest is written once. */
function writeEnded(job: Job, attempt: EndedAttempt): string {
  if (lastEnded === null || !isEndedAlike(job, lastEnded.head)) {
    const { submission: _, ...head } = job
    const text = writeStory(job)
    // A reason in the story may end like the beginning of an attempt, but no token follows it.
    const at = text.indexOf(`[["${attempt.token}"`) + 3
    lastEnded = { head, front: text.slice(0, at), back: text.slice(at + attempt.token.length) }
  }
  return `${lastEnded.front}${attempt.token}${lastEnded.back}${rareText(job)}]`
}

function writeHead(job: Job): string {
  return `${writeStory(job)}${rareText(job)}]`
}

/** Put together by hand from the job itself: lists of lists for `JSON.stringify` were most of what ending a job left behind. */
function writeStory(job: Job): string {
  const { charged, uncharged, ended } = job
  const since = job.history[0]?.at ?? 0
  const flags = `${statuses.indexOf(job.status)},${job.queued ? 1 : 0},${charged},${uncharged},${job.deadLetter ? 1 : 0}`
  const history = job.history.map((entry) => historyText(entry, since, ended)).join(',')
  const attempts = ended.length === 0 ? '' : ended.map((each) => endedText(each, since)).join(',')
  return `[${format},${flags},${since},[${history}],[${attempts}],${endingText(job, since)}`
}

/** What few jobs have, and the result. */
function rareText(job: Job): string {
  const rare = rareOf(job)
  const few = rare || job.result !== undefined ? `,${rare ? JSON.stringify(rare) : 0}` : ''
  return job.result === undefined ? few : `${few},${JSON.stringify(job.result)}`
}

function endingText({ endedAt, waitMs = 0, runMs }: Job, since: number): string {
  return endedAt === undefined ? '0' : `[${endedAt - since},${waitMs},${runMs ?? 'null'}]`
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
  const [
    itsFormat,
    status,
    queued,
    charged,
    uncharged,
    deadLetter,
    since,
    history,
    ended,
    ending,
    rare,
    result,
  ] = JSON.parse(text) as HeadText
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
    ...(rare !== 0 && rare),
    ...(result !== undefined && { result }),
  }
}

export function encodeAttempt(attempt: Attempt): string {
  const { startedAt, assignedAt } = attempt
  const started = startedAt === undefined ? '' : `,${startedText(attempt, startedAt)}`
  return `[${attemptText(attempt, assignedAt)}${started}]`
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

function historyText({ at, status, reason, by }: HistoryEntry, since: number, ended: Attempts): string {
  const known = reasons.indexOf(reason)
  const because = known < 0 ? JSON.stringify(reason) : known
  const told = `${at - since},${statuses.indexOf(status)},${because}`
  if (by === undefined) return `[${told}]`
  const acted = ended.findIndex(({ worker }) => worker === by)
  return `[${told},${acted < 0 ? quoted(by) : acted}]`
}

function readHistory(text: HistoryText, since: number, ended: Attempts): HistoryEntry {
  const [later, number, because, acted] = text
  const [at, status] = [since + later, statusAt(number)]
  const reason = typeof because === 'number' ? (reasons[because] ?? '') : because
  if (acted === undefined) return { at, status, reason }
  return { at, status, reason, by: typeof acted === 'number' ? (ended[acted]?.worker ?? '') : acted }
}

/** Without its brackets; `assigned` is how its assignment is told. A token is letters, digits and dashes: we made it. */
function attemptText({ token, worker, assignedAt, acceptBy }: Attempt, assigned: number): string {
  return `"${token}",${quoted(worker)},${assigned},${acceptBy - assignedAt}`
}

/** Without its brackets. */
function startedText({ assignedAt, runUntil }: Attempt, startedAt: number): string {
  return `${startedAt - assignedAt},${(runUntil ?? startedAt) - assignedAt}`
}

function endedText(ended: EndedAttempt, since: number): string {
  const { assignedAt, startedAt, endedAt, outcome, error } = ended
  const attempt = attemptText(ended, assignedAt - since)
  const started = startedAt === undefined ? '0' : `[${startedText(ended, startedAt)}]`
  const reason = error ? `,${JSON.stringify(error)}` : ''
  return `[[${attempt}],${started},${endedAt - since},"${outcome}"${reason}]`
}

const quotedNames = new Map<string, string>()
const namesAtMost = 1_000

/** Names of users and workers come again and again. */
function quoted(name: string): string {
  const known = quotedNames.get(name)
  if (known !== undefined) return known
  if (quotedNames.size >= namesAtMost) quotedNames.clear()
  const text = JSON.stringify(name)
  quotedNames.set(name, text)
  return text
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
