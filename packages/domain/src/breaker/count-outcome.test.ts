import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import type { AttemptOutcome } from '../job/job.ts'
import { outcomeWeight } from './breaker.ts'
import { defaultBreakerSettings as settings } from './breaker-settings.ts'
import {
  countOutcome,
  type FailureCount,
  isBesideSuccess,
  isTelling,
  probeToken,
  type StandingBreaker,
  untouchedBreaker,
} from './count-outcome.ts'

const probe = 'probe' as AttemptToken
const ended = (outcome: AttemptOutcome, token = 'other' as AttemptToken) => ({ token, outcome })

/** What is counted after all of these, as long as the breaker stays as it is. */
function countAll(standing: StandingBreaker, ...outcomes: readonly AttemptOutcome[]): FailureCount | null {
  let count: FailureCount | null = null
  for (const outcome of outcomes) {
    const counted = countOutcome(standing, count, ended(outcome), settings, 1_000)
    expect(counted.breaker).toBe(standing)
    count = counted.count
  }
  return count
}

describe('the count beside a closed breaker', () => {
  it('[B14] a success with nothing counted leaves nothing to write and nothing to remember', () => {
    const counted = countOutcome(untouchedBreaker, null, ended('completed'), settings, 1_000)
    expect(counted.breaker).toBe(untouchedBreaker)
    expect(counted.count).toBeNull()
  })

  it('[B14] failures are remembered, not written, until the one that opens', () => {
    const count = countAll(untouchedBreaker, 'timed_out', 'failed_fatal', 'cancelled', 'failed_retryable')
    expect(count).toEqual({ since: 0, failures: 3 })
    const four = countAll(untouchedBreaker, ...new Array<AttemptOutcome>(4).fill('failed_retryable'))
    expect(countOutcome(untouchedBreaker, four, ended('timed_out'), settings, 1_000)).toEqual({
      breaker: { state: 'open', openUntil: 61_000 },
      count: null,
    })
  })

  it('[B14] a success is remembered by forgetting', () => {
    expect(countAll(untouchedBreaker, 'failed_fatal', 'completed')).toBeNull()
  })

  it('[B15] a count from before the breaker last changed is worth nothing', () => {
    const four = countAll(untouchedBreaker, ...new Array<AttemptOutcome>(4).fill('failed_fatal'))
    const reset: StandingBreaker = { state: 'closed', failures: 0, since: 500 }
    expect(countOutcome(reset, four, ended('failed_fatal'), settings, 1_000)).toEqual({
      breaker: reset,
      count: { since: 500, failures: 1 },
    })
  })
})

describe('an end that tells nothing', () => {
  const outcomes = Object.keys(outcomeWeight) as AttemptOutcome[]

  it.each(outcomes)(
    '[B18] as %s would change neither a count nor a breaker, or it is looked at',
    (outcome) => {
      const its = probeToken('1')
      const breakers: readonly StandingBreaker[] = [
        untouchedBreaker,
        { state: 'open', openUntil: 60_000, since: 0 },
        { state: 'probing', probe: its, probeUntil: 400_000, since: 0 },
      ]
      for (const standing of breakers) {
        for (const count of standing.state === 'closed' ? [null, { since: 0, failures: 2 }] : [null]) {
          for (const token of [its, 'other' as AttemptToken]) {
            const counted = countOutcome(standing, count, ended(outcome, token), settings, 1_000)
            const changes = counted.breaker !== standing || counted.count?.failures !== count?.failures
            if (changes) expect(isTelling(ended(outcome, token), count !== null)).toBe(true)
          }
        }
      }
    },
  )

  it('[B18] is a success while nothing is counted, and whatever counts as nothing', () => {
    expect(isTelling(ended('completed'), false)).toBe(false)
    expect(isTelling(ended('cancelled'), true)).toBe(false)
    expect(isTelling(ended('cancelled', probeToken('1')), false)).toBe(true)
  })
})

describe('a failure beside a success', () => {
  it.each([
    ['assigned before it, a moment ago', 900, 1_000, 1_500, true],
    ['assigned when it was known', 1_000, 1_000, 1_500, false],
    ['assigned before it, a second ago', 900, 1_000, 2_000, false],
  ])('[B19] %s', (_, assignedAt, lastSuccessAt, now, isBeside) => {
    expect(isBesideSuccess(assignedAt, lastSuccessAt, now)).toBe(isBeside)
  })

  it('[B19] tells nothing, but a probe that fails does', () => {
    expect(isTelling(ended('failed_fatal'), true, true)).toBe(false)
    expect(isTelling(ended('failed_fatal', probeToken('1')), false, true)).toBe(true)
    expect(isTelling(ended('completed'), true, true)).toBe(true)
  })
})

describe('the count beside a breaker that is not closed', () => {
  const open: StandingBreaker = { state: 'open', openUntil: 60_000, since: 0 }
  const probing: StandingBreaker = { state: 'probing', probe, probeUntil: 400_000, since: 60_000 }

  it('[B9] nothing is counted while it is open, and only its probe changes it', () => {
    const before = { since: 0, failures: 4 }
    for (const outcome of ['completed', 'failed_fatal'] as const) {
      expect(countOutcome(open, before, ended(outcome), settings, 1_000)).toEqual({
        breaker: open,
        count: null,
      })
      expect(countOutcome(probing, before, ended(outcome), settings, 1_000).breaker).toBe(probing)
    }
    expect(countOutcome(probing, null, ended('completed', probe), settings, 1_000).breaker.state).toBe(
      'closed',
    )
  })
})
