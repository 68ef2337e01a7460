import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RateBucket, registrationRate, spend } from '../rate/rate.ts'
import { isRefusal } from '../refusal.ts'
import { type ExtensionPolicyChoice, extensionPolicy } from './extension-policy.ts'
import { accepted } from './sample-extension.ts'

describe('the policy of an extension', () => {
  it('[E30] what is not chosen is the default', () => {
    expect(extensionPolicy({})).toEqual({
      needs: { slots: 1, cpu: 0, memoryMb: 0, gpu: 0, labels: [] },
      maxRunning: null,
      short: false,
      breaker: { failuresToOpen: 5, openMs: 60_000 },
      rate: null,
      job: {},
    })
  })

  it('[E30] what is chosen within the limits stands', () => {
    const choice = {
      needs: { gpu: 1, labels: ['a100'] },
      maxRunning: 4,
      short: true,
      breaker: { openMs: 5_000 },
      rate: { count: 100, perMs: 60_000 },
      job: { maxAttempts: 5 },
    }
    expect(extensionPolicy(choice)).toMatchObject(choice)
  })

  it.each<[string, ExtensionPolicyChoice, string]>([
    ['maxRunning', { maxRunning: 0 }, 'policy_out_of_range'],
    ['maxRunning', { maxRunning: 100_001 }, 'policy_out_of_range'],
    ['breaker.openMs', { breaker: { openMs: 1 } }, 'policy_out_of_range'],
    ['rate.count', { rate: { count: 0, perMs: 60_000 } }, 'policy_out_of_range'],
    ['rate.perMs', { rate: { count: 1, perMs: 10 } }, 'policy_out_of_range'],
    ['maxAttempts', { job: { maxAttempts: 1_000_000 } }, 'policy_out_of_range'],
    ['gpu', { needs: { gpu: -1 } }, 'resources_invalid'],
  ])('[E30] a refusal names %s and its limit', (field, choice, code) => {
    expect(extensionPolicy(choice)).toMatchObject({
      refused: code,
      details: { field, max: expect.any(Number) },
    })
  })
})

describe('a rate', () => {
  const rate = registrationRate

  it('[E31] ten registrations a minute pass, the eleventh is refused with the time to wait', () => {
    let bucket: RateBucket | null = null
    for (let count = 0; count < 10; count += 1) bucket = accepted(spend(bucket, rate, 1, 1_000))
    expect(bucket).toEqual({ left: 0, at: 1_000 })
    expect(spend(bucket, rate, 1, 1_000)).toMatchObject({
      refused: 'rate_limited',
      message: 'The limit of 10 registrations per 60 s is used up.',
      details: { retryAfterMs: 6_000 },
    })
    expect(spend(bucket, rate, 1, 6_999)).toMatchObject({
      refused: 'rate_limited',
      details: { retryAfterMs: 1 },
    })
    expect(isRefusal(spend(bucket, rate, 1, 7_000))).toBe(false)
  })

  it('[E31] a bulk spends all of its parts or none, and one above the count never passes', () => {
    const bucket = spend(null, rate, 8, 0) as RateBucket
    expect(spend(bucket, rate, 3, 0)).toMatchObject({
      refused: 'rate_limited',
      details: { retryAfterMs: 6_000 },
    })
    expect(spend(bucket, rate, 2, 0)).toEqual({ left: 0, at: 0 })
    const never = spend(null, rate, 11, 0)
    expect(never).toMatchObject({ refused: 'rate_limited' })
    expect(never).not.toHaveProperty('details.retryAfterMs')
  })

  it('[E31] in any stretch of time no more pass than the count and what is refilled meanwhile', () => {
    const someRate = fc.record({
      count: fc.integer({ min: 1, max: 50 }),
      perMs: fc.integer({ min: 1_000, max: 60_000 }),
    })
    const steps = fc.array(
      fc.record({ waitMs: fc.nat({ max: 3_000 }), amount: fc.integer({ min: 1, max: 4 }) }),
    )
    fc.assert(
      fc.property(someRate, steps, (limit, tries) => {
        let [bucket, now, passed]: [RateBucket | null, number, number] = [null, 0, 0]
        for (const { waitMs, amount } of tries) {
          now += waitMs
          const answer = spend(bucket, limit, amount, now)
          if (isRefusal(answer)) continue
          bucket = answer
          passed += amount
          expect(passed).toBeLessThanOrEqual(limit.count + (now * limit.count) / limit.perMs + 1e-6)
        }
      }),
      { seed: 91, numRuns: 500 },
    )
  })

  it('[E31] whoever waits as long as told passes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 97 }),
        fc.integer({ min: 1_000, max: 99_999 }),
        (count, perMs) => {
          const empty = spend(null, { count, perMs }, count, 0) as RateBucket
          const told = spend(empty, { count, perMs }, 1, 0)
          const waitMs = isRefusal(told) ? Number(told.details?.retryAfterMs) : 0
          expect(waitMs).toBeGreaterThan(0)
          expect(isRefusal(spend(empty, { count, perMs }, 1, waitMs))).toBe(false)
        },
      ),
      { seed: 92, numRuns: 500 },
    )
  })
})
