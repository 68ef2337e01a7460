// Why a job waits, read from a plan of this very moment; how many stand before it, and about how long that takes.

import {
  type Job,
  type PlacementSnapshot,
  place,
  queueOf,
  readyAt,
  score,
  type Waiting,
  type WaitReason,
} from '@millrace/domain'
import { listJobs } from '../job/list-jobs.ts'
import { nameOf, type RunTimes } from '../job/run-times.ts'
import { allSupplies, type OtherReplicas, type PoolSummaries } from './pool-summaries.ts'
import { type Surroundings, takeSnapshot } from './take-snapshot.ts'
import { placeOf } from './waiting-queues.ts'

export interface Why {
  readonly reason: string | null
  readonly sentence: string
  readonly details: Record<string, unknown>
  readonly ahead: number | null
  readonly estimateMs: number | null
}

export interface WhyParts extends Surroundings {
  readonly times: RunTimes
  readonly summaries: Pick<PoolSummaries, 'others'>
}

/** Jobs that are looked at to find the place; beyond them the answer is "at least so many". */
const lookedAt = 1_000

/** Waiting for these ends when jobs that run now end. */
const waitsForSlots: ReadonlySet<WaitReason['reason']> = new Set(['all_slots_busy', 'kept_for_short'])

export async function whyJob(parts: WhyParts, job: Job): Promise<Why> {
  if (job.status !== 'pending') return notWaiting(job)
  const now = parts.store.now()
  const ready = readyAt(job)
  if (!job.queued && ready !== null && ready > now) {
    const reason = job.retryAt === undefined ? 'not_before' : 'retry_backoff'
    const sentence =
      reason === 'not_before'
        ? `It was asked to wait until ${instant(ready)}.`
        : `The last attempt failed; the next begins not before ${instant(ready)}.`
    return { reason, sentence, details: { until: ready }, ahead: null, estimateMs: ready - now }
  }
  const others = await parts.summaries.others()
  const snapshot = await wideSnapshot(parts, job, others)
  const key = placeOf(job.submission.room, queueOf(job.submission))
  const waiting = place(snapshot).waiting.find((one) => one.class === key)
  const ahead = await jobsAhead(parts, job)
  const slots = snapshot.workers
    .filter(({ abilities }) =>
      abilities.includes(snapshot.classes.find((one) => one.key === key)?.ability ?? ''),
    )
    .reduce((sum, { total }) => sum + total.slots, 0)
  const isQueued = waiting === undefined || waitsForSlots.has(waiting.why.reason)
  const estimateMs = isQueued ? estimate(parts.times, others, job, ahead, slots) : null
  return { ...explain(waiting), ahead, estimateMs }
}

/** Of all replicas, so that each of them gives the same reason. */
async function wideSnapshot(
  parts: WhyParts,
  { submission }: Job,
  others: OtherReplicas,
): Promise<PlacementSnapshot> {
  // What was submitted at another replica a moment ago may not have been heard of here.
  if (!parts.waiting.get(submission.room, queueOf(submission))) await parts.waiting.look(submission.room)
  const { snapshot, classes } = await takeSnapshot(parts)
  const demands = snapshot.classes.map((demand) => {
    const known = classes.get(demand.key)
    const short = known && parts.shorts.isShort(known, others.runsOf(known.extension))
    return short === undefined ? demand : { ...demand, short }
  })
  return { ...snapshot, classes: demands, workers: allSupplies(snapshot.workers, others) }
}

function notWaiting({ status, attempt }: Job): Why {
  const sentences: Record<string, string> = {
    assigned: `It is assigned to ${attempt?.worker ?? 'a worker'}, which has not accepted it yet.`,
    running: `It runs on ${attempt?.worker ?? 'a worker'}.`,
  }
  const sentence = sentences[status] ?? `It has ended: ${status}.`
  return { reason: null, sentence, details: {}, ahead: null, estimateMs: null }
}

/** Nothing in the plan keeps it: the next pass takes it. */
function explain(waiting: Waiting | undefined): Pick<Why, 'reason' | 'sentence' | 'details'> {
  if (!waiting) return { reason: 'next_pass', sentence: 'It is about to be placed.', details: {} }
  const { reason, ...details } = waiting.why
  return { reason, sentence: sentenceOf(waiting.why), details }
}

export function sentenceOf(why: WaitReason): string {
  switch (why.reason) {
    case 'no_worker':
      return 'No worker is registered for this extension with the schema the job was submitted with.'
    case 'label_mismatch':
      return `No worker carries the label ${why.missing.join(', ')}.`
    case 'not_enough':
      return `It needs ${why.resource} ${why.needed}; the largest worker has ${why.largest}.`
    case 'workers_unavailable':
      return `The workers for it take nothing new: ${unavailable(why).join('; ')}.`
    case 'all_slots_busy':
      return `All workers for it are busy (${why.scarce}).`
    case 'kept_for_short':
      return `Its workers keep their free slots (${why.slots}) for extensions whose jobs are short; the others are busy.`
    case 'room_limit':
      return `The room runs ${why.running} of at most ${why.limit} jobs at once.`
    case 'extension_limit':
      return `The extension runs ${why.running} of at most ${why.limit} jobs at once.`
    case 'global_limit':
      return `${why.running} of at most ${why.limit} jobs run at once.`
    case 'start_limit':
      return `At most ${why.limit} jobs of one kind begin at a time.`
    case 'breaker_open':
      return `The breaker is open until ${instant(why.until)}: the extension failed too often in a row.`
    case 'breaker_probing':
      return 'The breaker is half-open: one job is tried to see whether the extension is mended.'
    case 'paused':
      return `The extension was paused by ${why.by}.`
  }
}

function unavailable({
  draining,
  because,
}: Extract<WaitReason, { reason: 'workers_unavailable' }>): string[] {
  return draining > 0 ? [`${draining} drained`, ...because] : [...because]
}

async function jobsAhead({ store }: WhyParts, job: Job): Promise<number> {
  const { room, category, extension } = job.submission
  const queue = queueOf(job.submission)
  const mine = score(job.submission)
  const filter = { statuses: ['pending'], category, extension } as const
  const { jobs } = await listJobs(store, { room, filter, order: 'oldest', limit: lookedAt })
  return jobs.filter(({ submission, queued }) => {
    const its = score(submission)
    const before = its < mine || (its === mine && submission.id < job.submission.id)
    return queued && before && queueOf(submission) === queue
  }).length
}

/** Every slot ends its usual run before it takes the next; null while nothing is known, or while no slot would help. */
function estimate(
  times: RunTimes,
  others: OtherReplicas,
  { submission }: Job,
  ahead: number,
  slots: number,
): number | null {
  const { runMsP50 } = times.figures(submission, others.timesOf(nameOf(submission)))
  if (runMsP50 === null || slots === 0) return null
  return Math.ceil((ahead + 1) / slots) * runMsP50
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
