import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import type { AttemptOutcome } from '../job/job.ts'
import { isRefusal } from '../refusal.ts'
import {
  allows,
  type Breaker,
  closedBreaker,
  outcomeWeight,
  recordOutcome,
  resetBreaker,
  startProbe,
  viewBreaker,
} from './breaker.ts'
import { breakerSettings, defaultBreakerSettings } from './breaker-settings.ts'

const probe = 'probe' as AttemptToken
const other = 'other' as AttemptToken
const settings = defaultBreakerSettings

const failing: Breaker = { state: 'closed', failures: 4 }
const open: Breaker = { state: 'open', openUntil: 60_000 }
const probing: Breaker = { state: 'probing', probe, probeUntil: 400_000 }

const failures: readonly AttemptOutcome[] = ['failed_retryable', 'failed_fatal', 'timed_out']
const neutrals: readonly AttemptOutcome[] = [
  'rejected',
  'not_accepted',
  'worker_lost',
  'server_stop',
  'cancelled',
]

const ended = (outcome: AttemptOutcome, token: AttemptToken = other) => ({ token, outcome })

describe('a closed breaker', () => {
  it('[B1] the fifth failure in a row opens it for 60 s', () => {
    let breaker = closedBreaker
    for (let count = 1; count <= 4; count += 1) {
      breaker = recordOutcome(breaker, ended('failed_retryable'), settings, 1_000)
      expect(breaker).toEqual({ state: 'closed', failures: count })
    }
    expect(recordOutcome(breaker, ended('failed_retryable'), settings, 1_000)).toEqual({
      state: 'open',
      openUntil: 61_000,
    })
  })

  it('[B2] a success in between starts the count anew', () => {
    expect(recordOutcome(failing, ended('completed'), settings, 0)).toEqual({ state: 'closed', failures: 0 })
  })

  it.each(failures)('[B3] %s counts as a failure', (outcome) => {
    expect(recordOutcome(failing, ended(outcome), settings, 0).state).toBe('open')
  })

  it.each(neutrals)('[B3] %s says nothing about the extension and changes nothing', (outcome) => {
    expect(recordOutcome(failing, ended(outcome), settings, 0)).toBe(failing)
  })

  it('[B3] every outcome is either the success, a failure or neutral', () => {
    expect(Object.keys(outcomeWeight).sort()).toEqual(['completed', ...failures, ...neutrals].sort())
  })
})

describe('what placement may start', () => {
  it('[B1] a closed breaker lets all through', () => {
    expect(allows(failing, 0)).toBe('all')
  })

  it('[B4] an open breaker lets nothing through until its time has passed', () => {
    expect(allows(open, 59_999)).toBe('none')
    expect(allows(open, 60_000)).toBe('one')
  })

  it('[B5] while the probe runs nothing else starts', () => {
    expect(allows(probing, 70_000)).toBe('none')
  })

  it('[B10] once the probe can no longer end another may start', () => {
    expect(allows(probing, 399_999)).toBe('none')
    expect(allows(probing, 400_000)).toBe('one')
  })
})

describe('the probe', () => {
  it('[B5] a half-open breaker records its probe', () => {
    expect(startProbe(open, probe, 400_000, 60_000)).toEqual(probing)
  })

  it('[B5] while one probe is under way a second is refused', () => {
    expect(startProbe(probing, other, 500_000, 70_000)).toMatchObject({ refused: 'breaker_probing' })
  })

  it('[B13] a closed breaker has nothing to probe, and for an open one it is too early', () => {
    expect(startProbe(failing, other, 500_000, 0)).toMatchObject({ refused: 'breaker_closed' })
    expect(startProbe(open, other, 500_000, 59_999)).toMatchObject({ refused: 'breaker_open' })
  })

  it('[B6] its success closes the breaker', () => {
    expect(recordOutcome(probing, ended('completed', probe), settings, 70_000)).toEqual(closedBreaker)
  })

  it.each(failures)('[B7] its end as %s opens the breaker again for the full time', (outcome) => {
    expect(recordOutcome(probing, ended(outcome, probe), settings, 70_000)).toEqual({
      state: 'open',
      openUntil: 130_000,
    })
  })

  it.each(neutrals)('[B8] its end as %s makes room for another probe at once', (outcome) => {
    const breaker = recordOutcome(probing, ended(outcome, probe), settings, 70_000)
    expect(viewBreaker(breaker, 70_000)).toBe('half_open')
  })

  it('[B10] a probe that is heard of no more is replaced, and then no longer decides', () => {
    const second = startProbe(probing, other, 900_000, 400_000) as Breaker
    expect(second).toEqual({ state: 'probing', probe: other, probeUntil: 900_000 })
    expect(recordOutcome(second, ended('completed', probe), settings, 410_000)).toBe(second)
  })

  it('[B10] a late probe that was not replaced still decides', () => {
    expect(recordOutcome(probing, ended('completed', probe), settings, 500_000)).toEqual(closedBreaker)
  })

  it.each(['completed', ...failures, ...neutrals] as const)(
    '[B9] an older attempt that ends as %s changes neither an open nor a probing breaker',
    (outcome) => {
      expect(recordOutcome(open, ended(outcome), settings, 30_000)).toBe(open)
      expect(recordOutcome(open, ended(outcome), settings, 60_000)).toBe(open)
      expect(recordOutcome(probing, ended(outcome), settings, 70_000)).toBe(probing)
    },
  )

  it('[B11] a reset closes the breaker, and an outcome of the forgotten probe counts like any other', () => {
    expect(resetBreaker()).toEqual({ state: 'closed', failures: 0 })
    expect(recordOutcome(resetBreaker(), ended('timed_out', probe), settings, 70_000)).toEqual({
      state: 'closed',
      failures: 1,
    })
  })
})

describe('every history of a breaker', () => {
  const outcome = fc.constantFrom<AttemptOutcome>('completed', ...failures, ...neutrals)
  const step = fc.record({ outcome, waitMs: fc.integer({ min: 0, max: 40_000 }), start: fc.boolean() })

  it('[B1] it opens exactly when the last five counted outcomes were failures', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 30 }), (outcomes) => {
        let [breaker, row] = [closedBreaker, 0]
        for (const next of outcomes) {
          if (outcomeWeight[next] === 'success') row = 0
          if (outcomeWeight[next] === 'failure') row += 1
          breaker = recordOutcome(breaker, ended(next), settings, 0)
          expect(breaker.state).toBe(row < 5 ? 'closed' : 'open')
          if (row >= 5) return
        }
      }),
      { seed: 31, numRuns: 1_000 },
    )
  })

  it('[B5] between opening and closing there is at most one probe at a time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let [breaker, now, out, made] = [open as Breaker, 0, 0, 0]
        for (const { outcome: next, waitMs, start } of steps) {
          now += waitMs
          const allowed = allows(breaker, now)
          if (allowed === 'all') return
          const token = `probe-${made}` as AttemptToken
          const answer = startProbe(breaker, token, Number.MAX_SAFE_INTEGER, now)
          if (start && !isRefusal(answer)) {
            expect(allowed).toBe('one')
            ;[breaker, out, made] = [answer, out + 1, made + 1]
          } else if (out > 0) {
            breaker = recordOutcome(breaker, ended(next, `probe-${made - 1}` as AttemptToken), settings, now)
            out -= 1
          }
          expect(out).toBeLessThanOrEqual(1)
        }
      }),
      { seed: 32, numRuns: 500 },
    )
  })
})

describe('settings', () => {
  it('[B12] what an extension does not choose is the default', () => {
    expect(breakerSettings()).toEqual({ failuresToOpen: 5, openMs: 60_000 })
    expect(breakerSettings({ failuresToOpen: 2 })).toEqual({ failuresToOpen: 2, openMs: 60_000 })
  })

  it.each([
    { failuresToOpen: 0 },
    { failuresToOpen: 1_001 },
    { openMs: 999 },
    { openMs: 3_600_001 },
    { openMs: 1e3 + 0.5 },
  ])('[B12] %o is outside the limits', (choice) => {
    expect(breakerSettings(choice)).toMatchObject({
      refused: 'policy_out_of_range',
      details: { field: `breaker.${Object.keys(choice)[0]}` },
    })
  })

  it('[B12] a chosen number of failures and a chosen time are what counts', () => {
    const chosen = { failuresToOpen: 1, openMs: 5_000 }
    expect(recordOutcome(closedBreaker, ended('failed_fatal'), chosen, 100)).toEqual({
      state: 'open',
      openUntil: 5_100,
    })
  })
})
