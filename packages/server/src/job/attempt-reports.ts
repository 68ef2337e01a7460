// What workers report about their attempts, by socket or by REST. The slot of a finished attempt is free when its worker
// says so, not when the store has written it: the next claim then shares the report's commit.

import {
  type AttemptToken,
  type Deed,
  isRefusal,
  type Job,
  type JobEffect,
  type JobId,
  queueOf,
  type Refusal,
  refuse,
  score,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import type { ErrorBook } from '../error/error-book.ts'
import type { EndedAttempt } from '../extension/breakers.ts'
import type { Pace } from '../limits/pace.ts'
import type { RecordMemory } from '../memory/record-memory.ts'
import type { WaitingQueues } from '../placement/waiting-queues.ts'
import type { Store } from '../ports/store.ts'
import type { Roster } from '../worker/roster.ts'
import { type WorkerRecord, workerKey } from '../worker/worker-record.ts'
import type { ActiveJobs } from './active-jobs.ts'
import type { AttemptTurns } from './attempt-turns.ts'
import { appendLog, type LoggedLine, type LogLimits, type SaidLines } from './job-log.ts'
import { jobKey, jobOfRecord } from './job-record.ts'
import { type JobReport, type Reported, type ReportedEvent, reportJobs } from './report-jobs.ts'

export interface ReportParts {
  readonly store: Store
  readonly active: ActiveJobs
  readonly roster: Roster
  readonly workers: RecordMemory<WorkerRecord>
  readonly waiting: WaitingQueues
  readonly wake: () => void
  readonly random: () => number
  readonly onEnded: (jobs: readonly Job[]) => void
  readonly onAttemptsEnded: (attempts: readonly EndedAttempt[]) => void
  readonly turns: AttemptTurns
  readonly logLimits: LogLimits
  readonly logPace: Pace
  readonly errors: ErrorBook
}

export interface AttemptReport {
  readonly room: string
  readonly job: JobId
  readonly token: AttemptToken
  readonly events: readonly ReportedEvent[]
}

/** Reports by one user's workers; answered each for itself, in their order. */
export async function reportAttempts(
  parts: ReportParts,
  user: UserName,
  reports: readonly AttemptReport[],
): Promise<readonly Reported[]> {
  const tokens = reports.map(({ token }) => token)
  return parts.turns.take(tokens, async () => {
    const refusals = await strangersRefused(parts, user, reports)
    const allowed = reports.filter((_, at) => !refusals.has(at))
    freeSlots(parts, allowed)
    const answers = await applyReports(parts, allowed)
    freeGone(parts, allowed, answers)
    let next = 0
    return reports.map((_, at) => refusals.get(at) ?? (answers[next++] as Reported))
  })
}

/** Log lines of an attempt, by a worker of this user. */
export async function logAttempt(
  parts: ReportParts,
  user: UserName,
  { room, job, token }: Pick<AttemptReport, 'room' | 'job' | 'token'>,
  said: SaidLines,
): Promise<readonly LoggedLine[] | Refusal> {
  const bytes = said.lines.reduce((sum, line) => sum + line.length, 0)
  // Far more than is kept. To be told to come back would hold up all that the worker has to say.
  if (await parts.logPace.admit(room, bytes)) return refuse('log_too_fast')
  return parts.turns.take([token], async () => {
    const refusals = await strangersRefused(parts, user, [{ room, job, token, events: [] }])
    return refusals.get(0) ?? appendLog(parts.store, room, job, token, said, parts.logLimits)
  })
}

/** What happens to jobs by themselves, or by a person; nobody has to prove anything. */
export async function applyReports(
  parts: ReportParts,
  reports: readonly (JobReport & { readonly room: string })[],
  deed?: Deed,
): Promise<readonly Reported[]> {
  const answers = new Array<Reported>(reports.length)
  await Promise.all(
    [...byRoom(reports)].map(async ([room, places]) => {
      const its = places.map((at) => reports[at] as JobReport)
      const told = { errors: parts.errors, ...(deed && { deed }) }
      const reported = await reportJobs(parts.store, parts.active, room, its, parts.random, told)
      reported.forEach((answer, n) => {
        answers[places[n] as number] = answer
      })
    }),
  )
  const ended: Job[] = []
  const attempts: EndedAttempt[] = []
  for (const answer of answers) {
    if (isRefusal(answer)) continue
    settle(parts, answer.job, answer.effects, attempts)
    if (answer.job.endedAt !== undefined && answer.effects.length > 0) ended.push(answer.job)
  }
  if (attempts.length > 0) parts.onAttemptsEnded(attempts)
  if (ended.length > 0) parts.onEnded(ended)
  return answers
}

function byRoom(reports: readonly { readonly room: string }[]): ReadonlyMap<string, number[]> {
  const rooms = new Map<string, number[]>()
  reports.forEach(({ room }, at) => {
    const places = rooms.get(room)
    if (places) places.push(at)
    else rooms.set(room, [at])
  })
  return rooms
}

function freeSlots({ roster, wake }: ReportParts, reports: readonly AttemptReport[]): void {
  let freed = false
  for (const { token, events } of reports) {
    const last = events.at(-1)?.type
    if (last === 'complete' || last === 'fail' || last === 'reject') freed = roster.end(token) || freed
  }
  if (freed) wake()
}

/** An attempt that is over holds no slot, however this replica missed its end: its worker drops it now. */
function freeGone(
  { roster, wake }: ReportParts,
  reports: readonly AttemptReport[],
  answers: readonly Reported[],
): void {
  let freed = false
  answers.forEach((answer, at) => {
    const report = reports[at]
    if (report && isRefusal(answer) && isOver(answer)) freed = roster.end(report.token) || freed
  })
  if (freed) wake()
}

function isOver({ refused }: Refusal): boolean {
  return refused === 'attempt_superseded' || refused === 'job_ended'
}

/** What follows from a committed transition in this process: slots, queues, orders to stop. */
function settle(parts: ReportParts, job: Job, effects: readonly JobEffect[], ended: EndedAttempt[]): void {
  const { roster, waiting, wake } = parts
  const { room, id } = job.submission
  // An order reaches the worker only while it holds the attempt, so it goes before the end.
  for (const effect of effects) {
    if (effect.kind !== 'stop_attempt') continue
    roster.stop({ room, job: id, token: effect.token, how: effect.how })
  }
  for (const effect of effects) {
    if (effect.kind !== 'attempt_ended') continue
    const { token, outcome } = effect
    const over = job.ended.findLast((attempt) => attempt.token === token)
    ended.push({
      submission: job.submission,
      token,
      outcome,
      assignedAt: over?.assignedAt ?? job.submission.createdAt,
    })
    if (roster.end(effect.token)) wake()
  }
  if (job.status === 'pending' && job.queued) {
    waiting.added(room, queueOf(job.submission), 1, score(job.submission))
    wake()
  }
}

/**
 * A token is a secret, but rights do not rest on secrets alone: the attempt's worker has to belong to the user. Tokens
 * of attempts that are over go through, so that a repeated report is acknowledged and a stale one told so.
 */
async function strangersRefused(
  { store, roster, workers }: ReportParts,
  user: UserName,
  reports: readonly AttemptReport[],
): Promise<ReadonlyMap<number, Refusal>> {
  const refusals = new Map<number, Refusal>()
  let at = 0
  for (const { room, job, token } of reports) {
    const holder = roster.holderOf(token)
    const owner = holder?.record.worker.user ?? (await ownerOf(store, workers, room, job, token))
    if (owner !== null && owner !== user) refusals.set(at, refuse('worker_not_yours'))
    at += 1
  }
  return refusals
}

async function ownerOf(
  store: Store,
  workers: RecordMemory<WorkerRecord>,
  room: string,
  id: JobId,
  token: AttemptToken,
): Promise<UserName | null> {
  const [record] = await store.read(room, [jobKey(id)])
  const attempt = record && jobOfRecord(record).attempt
  if (!attempt || attempt.token !== token) return null
  const worker = await workers.get('system', workerKey(attempt.worker as WorkerId))
  return worker?.value.worker.user ?? null
}
