// A job's three texts. Head and attempt are arrays in a fixed order: half the bytes of objects, and every transition of
// every job writes, logs, syncs and reads them. The head's leading number is the format of all three, so that a later
// one is refused and not misread. The submission stays an object: people search in it.

import type {
  Attempt,
  EndedAttempt,
  HistoryEntry,
  Job,
  JobHead,
  JobPolicy,
  JobStatus,
  Submission,
} from '@millrace/domain'

const format = 1
const statuses: readonly JobStatus[] = ['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']

type PolicyText = [number, number, number, number, number, number, JobPolicy['onWorkerLost'], number, number]
type HistoryText = [at: number, status: number, reason: string, by?: string]
type AttemptText = [token: Attempt['token'], worker: Attempt['worker'], assignedAt: number, acceptBy: number]
type StartedText = [startedAt: number, runUntil: number]
type EndedText = [
  AttemptText,
  StartedText | 0,
  endedAt: number,
  EndedAttempt['outcome'],
  EndedAttempt['error']?,
]

/** What few jobs have; absent for the others. */
type Rare = Pick<JobHead, 'retryAt' | 'progress' | 'cancel' | 'error' | 'redrivenAs' | 'redrivenAt'>
type Ending = [endedAt: number, waitMs: number, runMs: number | null]
type HeadText = [
  format: number,
  status: number,
  queued: 0 | 1,
  charged: number,
  uncharged: number,
  deadLetter: 0 | 1,
  history: HistoryText[],
  ended: EndedText[],
  ending: Ending | 0,
  rare?: Rare,
]

export function encodeHead(job: Job): string {
  const ending: Ending | 0 = job.endedAt === undefined ? 0 : [job.endedAt, job.waitMs ?? 0, job.runMs ?? null]
  const text: HeadText = [
    format,
    statuses.indexOf(job.status),
    job.queued ? 1 : 0,
    job.charged,
    job.uncharged,
    job.deadLetter ? 1 : 0,
    job.history.map(historyText),
    job.ended.map(endedText),
    ending,
  ]
  const rare = rareOf(job)
  if (rare) text.push(rare)
  return JSON.stringify(text)
}

export function decodeHead(text: string): JobHead {
  const [itsFormat, status, queued, charged, uncharged, deadLetter, history, ended, ending, rare] =
    JSON.parse(text) as HeadText
  if (itsFormat !== format)
    throw new Error(`a job is written in format ${itsFormat}, and this Millrace knows ${format}`)
  return {
    status: statusAt(status),
    queued: queued === 1,
    ended: ended.map(readEnded),
    charged,
    uncharged,
    deadLetter: deadLetter === 1,
    history: history.map(readHistory),
    ...(ending !== 0 && {
      endedAt: ending[0],
      waitMs: ending[1],
      ...(ending[2] !== null && { runMs: ending[2] }),
    }),
    ...rare,
  }
}

export function encodeAttempt(attempt: Attempt): string {
  const { startedAt, runUntil } = attempt
  return JSON.stringify(
    startedAt === undefined ? attemptText(attempt) : [...attemptText(attempt), startedAt, runUntil ?? 0],
  )
}

export function decodeAttempt(text: string): Attempt {
  const [token, worker, assignedAt, acceptBy, startedAt, runUntil] = JSON.parse(text) as [
    ...AttemptText,
    ...Partial<StartedText>,
  ]
  if (startedAt === undefined || runUntil === undefined) return { token, worker, assignedAt, acceptBy }
  return { token, worker, assignedAt, acceptBy, startedAt, runUntil }
}

export function encodeSubmission(submission: Submission): string {
  return JSON.stringify({ ...submission, policy: policyText(submission.policy) })
}

export function decodeSubmission(text: string): Submission {
  const parsed = JSON.parse(text) as Omit<Submission, 'policy'> & { policy: PolicyText }
  // Changed in place, since nobody else holds it: a copy without the policy costs more than the parse.
  return Object.assign(parsed, { policy: readPolicy(parsed.policy) })
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

function historyText({ at, status, reason, by }: HistoryEntry): HistoryText {
  const number = statuses.indexOf(status)
  return by === undefined ? [at, number, reason] : [at, number, reason, by]
}

function readHistory([at, status, reason, by]: HistoryText): HistoryEntry {
  return by === undefined
    ? { at, status: statusAt(status), reason }
    : { at, status: statusAt(status), reason, by }
}

function attemptText({ token, worker, assignedAt, acceptBy }: Attempt): AttemptText {
  return [token, worker, assignedAt, acceptBy]
}

function endedText(ended: EndedAttempt): EndedText {
  const { startedAt, runUntil, endedAt, outcome, error } = ended
  const started: StartedText | 0 = startedAt === undefined ? 0 : [startedAt, runUntil ?? 0]
  return error
    ? [attemptText(ended), started, endedAt, outcome, error]
    : [attemptText(ended), started, endedAt, outcome]
}

function readEnded([
  [token, worker, assignedAt, acceptBy],
  started,
  endedAt,
  outcome,
  error,
]: EndedText): EndedAttempt {
  return {
    token,
    worker,
    assignedAt,
    acceptBy,
    ...(started !== 0 && { startedAt: started[0], runUntil: started[1] }),
    endedAt,
    outcome,
    ...(error && { error }),
  }
}

function policyText(policy: JobPolicy): PolicyText {
  const { maxAttempts, backoffBaseMs, backoffCapMs, acceptMs, runLimitMs, cancelGraceMs, onWorkerLost } =
    policy
  const { retentionMs, deadLetterRetentionMs } = policy
  return [
    maxAttempts,
    backoffBaseMs,
    backoffCapMs,
    acceptMs,
    runLimitMs,
    cancelGraceMs,
    onWorkerLost,
    retentionMs,
    deadLetterRetentionMs,
  ]
}

function readPolicy(text: PolicyText): JobPolicy {
  const [maxAttempts, backoffBaseMs, backoffCapMs, acceptMs, runLimitMs, cancelGraceMs, onWorkerLost] = text
  const [retentionMs, deadLetterRetentionMs] = [text[7], text[8]]
  return {
    maxAttempts,
    backoffBaseMs,
    backoffCapMs,
    acceptMs,
    runLimitMs,
    cancelGraceMs,
    onWorkerLost,
    retentionMs,
    deadLetterRetentionMs,
  }
}

function statusAt(number: number): JobStatus {
  const status = statuses[number]
  if (!status) throw new Error(`a job is written with status ${number}, which does not exist`)
  return status
}
