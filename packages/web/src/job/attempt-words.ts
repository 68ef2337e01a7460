// How attempts ended, in words. The codes of the wire are for scripts; they stand behind the words, as titles.

import type { JobView } from '@millrace/protocol'
import { durationText } from '../primitives/duration.ts'

type Attempt = JobView['attempts'][number]
type Tried = Pick<JobView, 'status' | 'attempts' | 'retryAt'>

interface Words {
  /** In a table. */
  readonly ended: string
  /** After "Attempt 1". */
  readonly told: string
  /** Whether the error says more than these words. */
  readonly because?: true
}

const words: Readonly<Record<string, Words>> = {
  completed: { ended: 'completed', told: 'completed' },
  failed_retryable: { ended: 'failed', told: 'failed', because: true },
  failed_fatal: { ended: 'failed for good', told: 'failed for good', because: true },
  timed_out: { ended: 'ran too long', told: 'ran longer than it may' },
  rejected: { ended: 'given back by the worker', told: 'was given back by its worker' },
  not_accepted: { ended: 'not accepted in time', told: 'was not accepted in time' },
  worker_lost: { ended: 'lost with its worker', told: 'was lost with its worker' },
  server_stop: {
    ended: 'stopped with the server or its pool',
    told: 'was stopped with the server or its pool',
  },
  cancelled: { ended: 'cancelled', told: 'was cancelled' },
}

/** Ends after which nobody expects another try. */
const finals: ReadonlySet<string> = new Set(['completed', 'failed_fatal', 'cancelled'])

function wordsOf(outcome: string): Words {
  const plain = outcome.replaceAll('_', ' ')
  return words[outcome] ?? { ended: plain, told: `ended: ${plain}` }
}

export function endText(outcome: string): string {
  return wordsOf(outcome).ended
}

/** How one attempt ended, or how it stands. */
export function outcomeText({ status, attempts }: Tried, attempt: Attempt): string {
  const { outcome, endedAt } = attempt
  if (outcome === undefined) return endedAt === undefined ? status : 'ended'
  const isGivenUp = status === 'failed' && attempt === attempts.at(-1) && !finals.has(outcome)
  return isGivenUp ? `${wordsOf(outcome).ended}, given up` : wordsOf(outcome).ended
}

/** What became of the attempt before, while the job goes on; null where there was none, or the job has ended. */
export function earlierText({ status, attempts, retryAt }: Tried, now: number): string | null {
  if (status === 'completed' || status === 'failed' || status === 'cancelled') return null
  const last = attempts.findLastIndex(({ outcome }) => outcome !== undefined)
  const { outcome, error } = attempts[last] ?? {}
  if (outcome === undefined) return null
  const { told, because } = wordsOf(outcome)
  const what = `Attempt ${last + 1} ${told}`
  const message = because && error ? error.message.trim() : ''
  if (status !== 'pending') {
    const next = `this is attempt ${attempts.length}.`
    return message === '' ? `${what}; ${next}` : `${what}: ${sentence(message)} T${next.slice(1)}`
  }
  return `${message === '' ? `${what}.` : `${what}: ${sentence(message)}`} ${nextText(retryAt, now)}`
}

function nextText(retryAt: number | undefined, now: number): string {
  const ms = (retryAt ?? 0) - now
  if (ms <= 0) return 'It waits for the next.'
  return `The next begins in ${ms < 60_000 ? `${Math.ceil(ms / 1_000)} s` : durationText(ms)}.`
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

interface Step {
  readonly at: number
  readonly status: JobView['status']
  readonly reason: string
  readonly by?: string
}

/** Where a worker is named, what it has to do with the step. */
const withWorker: Readonly<Record<string, string>> = { assigned: 'assigned to', started: 'started on' }

/** A step of the history: the end of an attempt in the words of its outcome, all else as it was written down. */
export function stepText(job: Tried, { at, status, reason, by }: Step): string {
  // A start can have the same instant as its end.
  const isEnd = status === 'failed' || (status === 'pending' && reason.startsWith('requeued'))
  const ended = isEnd ? job.attempts.findLast(({ endedAt }) => endedAt === at) : undefined
  if (ended?.outcome !== undefined) {
    const because = wordsOf(ended.outcome).because && ended.error ? `: ${ended.error.message}` : ''
    return `${outcomeText(job, ended)}${because}`
  }
  const plain = reason.replaceAll('_', ' ')
  return by === undefined ? plain : `${withWorker[reason] ?? `${plain} by`} ${by}`
}
