// Cancels or runs again many jobs of a room in one request. Each is decided as if it had been asked for alone; one that is
// refused holds up no other. A request does a bounded amount and says where it ended.

import {
  type AuditAction,
  type Caller,
  type Deed,
  deadLetterRefusal,
  isRefusal,
  type Job,
  type JobId,
  mayCancel,
  type Refusal,
  type RefusalCode,
  type Room,
  refuse,
  transition,
} from '@millrace/domain'
import { beginDeed, type EndDeed } from '../audit/record-deed.ts'
import { applyReports, type ReportParts } from './attempt-reports.ts'
import { type Choice, chosenJobs } from './chosen-jobs.ts'
import { retryOneOfMany } from './retry-job.ts'
import type { SubmitParts } from './submit-to-extension.ts'

export interface ManyParts {
  readonly reports: ReportParts
  readonly submitting: SubmitParts
}

export interface ManyOrder {
  readonly act: 'cancel' | 'retry' | 'redrive'
  readonly choice: Choice
  /** Only what would be met and refused; nothing changes. */
  readonly dryRun: boolean
}

export interface ManyDone {
  readonly matched: number
  readonly done: number
  readonly refused: readonly { readonly id: JobId; readonly code: RefusalCode }[]
  /** Where to go on; absent when all that were meant had their turn. */
  readonly next?: string
}

/** Data may have to be validated in processes, of which there are few: the others of a batch wait here and not there. */
const retriedAtOnce = 10

export async function actOnJobs(
  parts: ManyParts,
  who: Caller,
  room: Room,
  order: ManyOrder,
): Promise<ManyDone> {
  const { store } = parts.reports
  const refused: { id: JobId; code: RefusalCode }[] = []
  let [matched, done] = [0, 0]
  let next: string | undefined
  let end: EndDeed | null = null
  for await (const { jobs, absent, next: further } of chosenJobs(store, room.name, order.choice)) {
    if (jobs.length > 0 && !order.dryRun) end ??= await beginDeed(store, room.name, deedOf(who, room, order))
    const refusals = order.dryRun
      ? jobs.map((job) => foreseen(room, who, order, job, store.now()))
      : await actOn(parts, who, room, order, jobs)
    for (const [at, { submission }] of jobs.entries()) {
      const refusal = refusals[at]
      if (refusal) refused.push({ id: submission.id, code: refusal.refused })
      else if (!order.dryRun) done += 1
    }
    for (const id of absent) refused.push({ id, code: 'job_not_found' })
    matched += jobs.length
    next = further
  }
  await end?.({ matched, done, refused: refused.length })
  return { matched, done, refused, ...(next !== undefined && { next }) }
}

type Refusals = readonly (Refusal | null)[]

function actOn(
  parts: ManyParts,
  who: Caller,
  room: Room,
  { act }: ManyOrder,
  jobs: readonly Job[],
): Promise<Refusals> {
  return act === 'cancel'
    ? cancelAll(parts.reports, who, room, jobs)
    : retryAll(parts.submitting, who, room, jobs, act === 'redrive')
}

async function cancelAll(
  parts: ReportParts,
  who: Caller,
  room: Room,
  jobs: readonly Job[],
): Promise<Refusals> {
  const allowed = jobs.filter(({ submission }) => mayCancel(room, who, submission.submitter))
  const answers = await applyReports(
    parts,
    allowed.map(({ submission }) => ({
      room: room.name,
      job: submission.id,
      events: [{ type: 'cancel', by: who.user }],
    })),
  )
  const answerOf = new Map(allowed.map((job, at) => [job, answers[at]]))
  return jobs.map((job) => {
    const answer = answerOf.get(job) ?? refuse('room_forbidden')
    return isRefusal(answer) ? answer : null
  })
}

async function retryAll(
  parts: SubmitParts,
  who: Caller,
  room: Room,
  jobs: readonly Job[],
  deadLetters: boolean,
): Promise<Refusals> {
  const refusals: (Refusal | null)[] = []
  for (let from = 0; from < jobs.length; from += retriedAtOnce) {
    const some = jobs.slice(from, from + retriedAtOnce)
    const retry = ({ submission }: Job) => retryOneOfMany(parts, who, room, submission.id, { deadLetters })
    refusals.push(...(await Promise.all(some.map(retry))))
  }
  return refusals
}

/** What the rules about the job itself would say. Whether its data still fits its schema is found out by doing it. */
function foreseen(room: Room, who: Caller, { act }: ManyOrder, job: Job, now: number): Refusal | null {
  if (act === 'cancel' && !mayCancel(room, who, job.submission.submitter)) return refuse('room_forbidden')
  const event =
    act === 'cancel'
      ? ({ type: 'cancel', by: who.user } as const)
      : ({ type: 'redrive', as: job.submission.id, once: true } as const)
  const decided = transition(job, event, now, 0)
  if (isRefusal(decided)) return decided
  return act === 'redrive' ? deadLetterRefusal(job) : null
}

function deedOf(who: Caller, room: Room, { act, choice }: ManyOrder): Deed {
  const action: AuditAction = `jobs.${act}`
  if ('ids' in choice)
    return { who, action, target: room.name, details: { by: 'ids', ids: choice.ids.length } }
  const { statuses, category, extension, submitter, deadLetters, text } = choice.filter
  const { since, until } = choice
  const details = { status: statuses?.join(), category, extension, submitter, deadLetters, since, until }
  // What was searched for is left out: it may be anything that stands in somebody's data.
  return {
    who,
    action,
    target: room.name,
    details: { by: 'filter', ...details, ...(text !== undefined && { search: true }) },
  }
}
