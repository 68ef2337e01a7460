import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import { type Rate, type RateBucket, reserve } from './rate.ts'

const rate: Rate = { count: 100, perMs: 1_000, of: 'bytes' }
const holdMs = 500

function waits(amounts: readonly number[], now: number, from: RateBucket | null = null): readonly unknown[] {
  let bucket = from
  return amounts.map((amount) => {
    const reserved = reserve(bucket, rate, amount, now, holdMs)
    if (isRefusal(reserved)) return [reserved.refused, reserved.details?.['retryAfterMs']]
    bucket = reserved.bucket
    return reserved.waitMs
  })
}

describe('a rate that is waited for', () => {
  it('[E42] lets its count pass at once, and those above it one behind the other', () => {
    expect(waits([100, 10, 10, 20], 0)).toEqual([0, 100, 200, 400])
  })

  it('[E42] refuses who would wait too long, takes nothing from them, and says when to come back', () => {
    expect(waits([100, 40, 20, 10], 0)).toEqual([0, 400, ['rate_limited', 100], 500])
  })

  it('[E42] refills while time passes, also what has been taken in advance', () => {
    const reserved = reserve({ left: -40, at: 0 }, rate, 10, 300, holdMs)
    expect(reserved).toEqual({ bucket: { left: -20, at: 300 }, waitMs: 200 })
    expect(reserve({ left: -40, at: 0 }, rate, 10, 5_000, holdMs)).toMatchObject({ waitMs: 0 })
  })
})
