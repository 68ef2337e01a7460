import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import { beginTry, isSpent, succeedTry, type Tries, type TriesRule } from './tries.ts'

const rule: TriesRule = {
  free: 5,
  firstWaitMs: 1_000,
  maxWaitMs: 60_000,
  forgetMs: 300_000,
  of: 'sign-ins to this account',
}

function begun(tries: Tries | null, now: number): Tries {
  const answer = beginTry(tries, rule, now)
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

describe('tries', () => {
  it('[A13] five may fail, then the wait doubles from a second up to a minute, and the refusal says how long it is', () => {
    let [tries, now]: [Tries | null, number] = [null, 0]
    const waits: number[] = []
    for (let count = 0; count < 14; count += 1) {
      tries = begun(tries, now)
      waits.push(tries.waitUntil - now)
      now = tries.waitUntil
    }
    expect(waits).toEqual([
      0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000,
    ])
    expect(beginTry(tries, rule, now - 2_500)).toMatchObject({
      refused: 'rate_limited',
      message: 'The limit of 5 failed sign-ins to this account is used up; wait 3 s.',
      details: { count: 5, retryAfterMs: 2_500 },
    })
  })

  it('[A13] of many at once no more pass than are free', () => {
    let [tries, passed]: [Tries | null, number] = [null, 0]
    for (let count = 0; count < 1_000; count += 1) {
      const answer = beginTry(tries, rule, 7)
      if (isRefusal(answer)) continue
      tries = answer
      passed += 1
    }
    expect(passed).toBe(5)
  })

  it('[A13] one that succeeds takes back its own failure and its own wait', () => {
    let tries: Tries | null = null
    for (let count = 0; count < 100; count += 1) tries = succeedTry(begun(tries, count), count)
    expect(tries).toMatchObject({ failed: 0 })
    for (let count = 0; count < 4; count += 1) tries = begun(tries, 1_000)
    const right = succeedTry(begun(tries, 1_000), 1_000)
    expect(right).toMatchObject({ failed: 4, waitUntil: 1_000 })
  })

  it('[A13] a failure is forgotten five minutes later, and when all are there is nothing to keep', () => {
    let tries: Tries | null = null
    for (let count = 0; count < 5; count += 1) tries = begun(tries, 0)
    expect(isSpent(tries as Tries, rule, 1_200_000)).toBe(false)
    expect(isSpent(tries as Tries, rule, 1_500_000)).toBe(true)
    expect(begun(tries, 300_000)).toMatchObject({ failed: 5, waitUntil: 301_000 })
    expect(begun(tries, 600_000)).toMatchObject({ failed: 4, waitUntil: 600_000 })
  })

  it('[A13] however the clock goes, whoever waits as long as told may try', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 90_000 }), { maxLength: 60 }), (steps) => {
        let [tries, now]: [Tries | null, number] = [null, 1_000_000]
        for (const step of steps) {
          now += step
          const answer = beginTry(tries, rule, now)
          if (isRefusal(answer)) {
            const told = answer.details?.['retryAfterMs'] as number
            expect(isRefusal(beginTry(tries, rule, now + told))).toBe(false)
          } else tries = answer
        }
      }),
      { seed: 13, numRuns: 500 },
    )
  })
})
