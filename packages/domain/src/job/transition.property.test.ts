import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken, JobId } from '../ids.ts'
import { isRefusal } from '../refusal.ts'
import { headOf, jobOf } from './attempt.ts'
import { dueAt, onDue } from './due.ts'
import { isTerminal } from './end-job.ts'
import { historyLimit, historyOf } from './history.ts'
import type { CancelStage, Job, JobStatus } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEvent, JobEventType } from './job-event.ts'
import { maxUnchargedDeliveries } from './retry.ts'
import { assignTo, granted, pendingJob, sampleEvents, sampleStart, walk } from './sample-job.ts'
import { transition } from './transition.ts'
import { type Cell, transitionTable } from './transition-table.ts'

const seed = 20_261_115
const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

// Most steps go on with the job, or nearly every walk would be refused or over after three of them.
const likely: Record<JobStatus, readonly JobEventType[]> = {
  pending: ['assign', 'assign', 'assign', 'ready'],
  assigned: ['start', 'start', 'start', 'reject', 'worker_lost', 'acceptance_passed', 'cancel'],
  running: ['fail', 'worker_lost', 'server_stop', 'execution_passed', 'progress', 'resume', 'cancel'],
  completed: ['complete', 'redrive', 'expire'],
  failed: ['fail', 'redrive', 'expire'],
  cancelled: ['cancel_stage', 'redrive', 'expire'],
}

const likelyOnceCancelRequested: readonly JobEventType[] = [
  'cancel_stage',
  'cancel_grace_passed',
  'server_stop',
  'reject',
  'fail',
]

const command = fc.record({
  wild: fc.constantFrom(false, false, false, false, true),
  likely: fc.nat(),
  type: fc.constantFrom(...(Object.keys(sampleEvents) as JobEventType[])),
  token: fc.constantFrom('current', 'current', 'current', 'earlier', 'unknown'),
  retryable: fc.boolean(),
  stage: fc.constantFrom<Exclude<CancelStage, 'requested'>>('delivered', 'acknowledged', 'stopped', 'killed'),
  // Clocks mostly go forward, sometimes far, sometimes back.
  elapsed: fc.oneof(
    { weight: 10, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
    { weight: 10, arbitrary: fc.integer({ min: -5_000, max: 400_000 }) },
    { weight: 1, arbitrary: fc.constant(15 * 86_400_000) },
  ),
  random: dice,
})

type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

const job: fc.Arbitrary<Job> = fc
  .record({
    maxAttempts: fc.integer({ min: 1, max: 4 }),
    onWorkerLost: fc.constantFrom('requeue' as const, 'fail' as const),
    delayMs: fc.constantFrom(0, 2_000),
    runByMs: fc.constantFrom(null, 500_000),
    stops: fc.constantFrom(0, maxUnchargedDeliveries - 1),
  })
  .map(({ maxAttempts, onWorkerLost, delayMs, runByMs, stops }) => {
    const runBy = runByMs === null ? {} : { runBy: sampleStart + runByMs }
    if (stops > 0) return worn(pendingJob(runBy, { maxAttempts, onWorkerLost }), stops)
    const notBefore = delayMs === 0 ? {} : { notBefore: sampleStart + delayMs }
    return pendingJob({ ...runBy, ...notBefore }, { maxAttempts, onWorkerLost })
  })

function worn(fresh: Job, stops: number): Job {
  const tokens = Array.from({ length: stops }, (_, index) => `worn-${index}` as AttemptToken)
  return walk(
    fresh,
    ...tokens.flatMap((token) => [assignTo(token, sampleStart), { type: 'server_stop' as const, token }]),
  )
}

function eventOf(current: Job, chosen: Command, step: number, now: number): JobEvent {
  const { token, retryable, stage } = chosen
  const asked = current.cancel !== undefined && current.attempt !== null
  const likelyTypes = asked ? likelyOnceCancelRequested : likely[current.status]
  const type = chosen.wild ? chosen.type : (likelyTypes[chosen.likely % likelyTypes.length] ?? chosen.type)
  if (type === 'assign') return assignTo(`token-${step}` as AttemptToken, now)
  if (type === 'redrive') return { type, as: `job-${step}` as JobId }
  const event: JobEvent = sampleEvents[type]
  if (!('token' in event)) return event
  const tokens = {
    current: current.attempt?.token ?? current.ended.at(-1)?.token,
    earlier: current.ended.at(0)?.token,
    unknown: undefined,
  }
  const named = tokens[token as keyof typeof tokens] ?? ('unknown' as AttemptToken)
  if (event.type === 'fail') return { ...event, token: named, retryable }
  if (event.type === 'cancel_stage') return { ...event, token: named, stage }
  return { ...event, token: named }
}

interface Seen {
  readonly before: Job
  readonly event: JobEvent
  readonly now: number
  readonly random: number
  readonly answer: Transition
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}

/** Walks a frozen job through the commands; refusals leave it where it is. */
function travel(first: Job, commands: readonly Command[]): readonly Seen[] {
  const seen: Seen[] = []
  let before = freeze(first)
  let now = sampleStart
  commands.forEach((chosen, step) => {
    now += chosen.elapsed
    const event = freeze(eventOf(before, chosen, step, now))
    const answer = transition(before, event, now, chosen.random)
    if (isRefusal(answer)) return
    seen.push({ before, event, now, random: chosen.random, answer })
    before = freeze(answer.next)
  })
  return seen
}

function always(check: (seen: Seen) => void): void {
  let checked = 0
  fc.assert(
    fc.property(job, fc.array(command, { minLength: 20, maxLength: 60, size: 'max' }), (first, commands) => {
      for (const seen of travel(first, commands)) {
        check(seen)
        checked++
      }
    }),
    { seed, numRuns: 400 },
  )
  expect(checked).toBeGreaterThan(3_000)
}

/** Every way through the table, as `status event target`. */
const arrows = Object.entries(transitionTable).flatMap(([status, row]) =>
  Object.entries(row).flatMap(([event, cell]) =>
    typeof cell === 'string' ? [] : cell.leadsTo.map((target) => `${status} ${event} ${target}`),
  ),
)

describe('whatever happens to a job', () => {
  it('[J10] these walks take every arrow of the table', () => {
    const taken = new Set<string>()
    always(({ before, event, answer: { next } }) => {
      taken.add(`${before.status} ${event.type} ${next.status}`)
    })
    expect(arrows.filter((arrow) => !taken.has(arrow))).toEqual([])
  })

  it('[J10] it goes only where the table says, and never out of a terminal status', () => {
    always(({ before, event, answer: { next } }) => {
      if (next === before) return
      const cell = transitionTable[before.status][event.type] as Cell<JobEvent>
      expect(typeof cell === 'string' ? [] : cell.leadsTo).toContain(next.status)
      if (isTerminal(before.status)) expect(next.status).toBe(before.status)
    })
  })

  it('[J8] a token that is not the current one changes nothing', () => {
    always(({ before, event, answer }) => {
      if (!('token' in event) || event.token === before.attempt?.token) return
      if (event.type === 'cancel_stage') {
        expect({ ...answer.next, cancel: null }).toEqual({ ...before, cancel: null })
      } else {
        expect(answer.next).toBe(before)
      }
      expect(answer.effects).toEqual([])
    })
  })

  it('[J12] the same input gives the same answer', () => {
    always(({ before, event, now, random, answer }) => {
      expect(transition(before, event, now, random)).toEqual(answer)
    })
  })

  it('[J3] [J4] its attempt, queue place and stored parts agree with its status', () => {
    always(({ answer: { next } }) => {
      expect(next.attempt !== null).toBe(next.status === 'assigned' || next.status === 'running')
      if (next.queued) expect(next.status).toBe('pending')
      const head = JSON.parse(JSON.stringify(headOf(next)))
      expect(jobOf(next.submission, head, next.attempt)).toEqual(next)
    })
  })

  it('[J14] every attempt that ends is told exactly once', () => {
    always(({ before, answer: { next, effects } }) => {
      const told = effects.filter(({ kind }) => kind === 'attempt_ended')
      expect(told).toHaveLength(next.ended.length - before.ended.length)
    })
  })

  it('[J15] [J19] its counters stay within their caps and count what ended', () => {
    always(({ answer: { next } }) => {
      expect(next.charged).toBeLessThanOrEqual(next.submission.policy.maxAttempts)
      expect(next.uncharged).toBeLessThanOrEqual(maxUnchargedDeliveries)
      expect(next.charged + next.uncharged).toBeLessThanOrEqual(next.ended.length)
    })
  })

  it('[J18] it is a dead letter exactly while it is failed and not redriven', () => {
    always(({ before, answer: { next, effects } }) => {
      expect(next.deadLetter).toBe(next.status === 'failed' && next.redrivenAs === undefined)
      const made = next.deadLetter && !before.deadLetter
      expect(effects.some(({ kind }) => kind === 'dead_letter')).toBe(made)
    })
  })

  it('[J28] it has an instant at which something happens, unless it waits in its queue', () => {
    always(({ answer: { next } }) => {
      if (!next.queued) expect(dueAt(next)).not.toBeNull()
    })
  })

  it('[J29] what is due is never refused', () => {
    always(({ answer: { next } }) => {
      const instant = dueAt(next)
      if (instant === null) return
      const event = onDue(next, instant) as JobEvent
      const { next: after, effects } = granted(transition(next, event, instant, 0))
      expect(after !== next || effects.length > 0).toBe(true)
    })
  })

  it('[J40] its durations are set at its end and never negative', () => {
    always(({ answer: { next } }) => {
      expect(next.waitMs !== undefined).toBe(isTerminal(next.status))
      expect(Math.min(next.waitMs ?? 0, next.runMs ?? 0)).toBeGreaterThanOrEqual(0)
    })
  })

  it('[J41] its history tells each change of status and has one terminal entry at most', () => {
    always(({ before, answer: { next } }) => {
      const history = historyOf(next)
      expect(history.length).toBeLessThanOrEqual(historyLimit)
      if (next.status !== before.status) expect(history.at(-1)?.status).toBe(next.status)
      const terminal = history.filter(({ status }) => isTerminal(status))
      expect(terminal).toHaveLength(isTerminal(next.status) ? 1 : 0)
    })
  })

  it('[J41] its history tells every assignment once, as long as it is not cut', () => {
    always(({ answer: { next } }) => {
      const history = historyOf(next)
      if (history.length === historyLimit) return
      const assignments = history.filter(({ reason }) => reason === 'assigned')
      expect(assignments).toHaveLength(next.ended.length + (next.attempt === null ? 0 : 1))
    })
  })
})

describe('an adversary', () => {
  const misfortune = fc.constantFrom(
    'lost',
    'lost while running',
    'silent',
    'rejects',
    'fails',
    'hangs',
    'stops',
  )

  function suffer(current: Job, kind: string, token: AttemptToken, now: number): Job {
    const run = (from: Job, event: JobEvent, at: number) => granted(transition(from, event, at, 0.5)).next
    const assigned = run(current, assignTo(token, now), now)
    if (kind === 'lost') return run(assigned, { type: 'worker_lost', token }, now)
    if (kind === 'rejects') return run(assigned, { type: 'reject', token }, now)
    if (kind === 'stops') return run(assigned, { type: 'server_stop', token }, now)
    if (kind === 'silent') return run(assigned, onDue(assigned, 1e15) as JobEvent, 1e15)
    const running = run(assigned, { type: 'start', token }, now)
    if (kind === 'fails') return run(running, { ...sampleEvents.fail, token }, now)
    if (kind === 'hangs') return run(running, onDue(running, 1e15) as JobEvent, 1e15)
    return run(running, { type: 'worker_lost', token }, now)
  }

  it('[J22] no job survives more deliveries than its two caps allow', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(misfortune, { minLength: 30, maxLength: 30 }),
        (maxAttempts, misfortunes) => {
          let current = pendingJob({}, { maxAttempts })
          let deliveries = 0
          while (!isTerminal(current.status)) {
            const at = dueAt(current)
            if (at !== null) current = granted(transition(current, { type: 'ready' }, at, 0)).next
            const kind = misfortunes[deliveries] as string
            deliveries++
            current = suffer(current, kind, `token-${deliveries}` as AttemptToken, sampleStart)
          }
          expect(current.status).toBe('failed')
          expect(deliveries).toBeLessThan(maxAttempts + maxUnchargedDeliveries)
        },
      ),
      { seed },
    )
  })
})
