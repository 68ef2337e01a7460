// How often something may be done: a bucket that holds `count` and fills up again over `perMs`. A burst up to the full
// count passes at once; after that the long-run rate holds.

import { type Limit, limitRefusal, whole } from '../limit.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface Rate {
  readonly count: number
  readonly perMs: number
  /** What is counted, as a refusal calls it: "sign-ins". */
  readonly of?: string
}

export interface RateBucket {
  readonly left: number
  readonly at: number
}

/** Per user. Every registration may compile a schema, which is the dearest thing a worker can ask for. */
export const registrationRate: Rate = { count: 10, perMs: 60_000, of: 'registrations' }

export const rateLimits: { readonly [Field in 'count' | 'perMs']: Limit } = {
  count: whole(1, 1_000_000),
  perMs: whole(1_000, 86_400_000),
}

/** Refilling adds fractions; a sum that misses a whole by less than this counts as that whole. */
const crumb = 1e-9

export function checkRate(rate: Rate): Rate | Refusal {
  return (
    limitRefusal('policy_out_of_range', 'rate.count', rate.count, rateLimits.count) ??
    limitRefusal('policy_out_of_range', 'rate.perMs', rate.perMs, rateLimits.perMs) ??
    rate
  )
}

/** A bucket never used before is full: null. A bulk of several spends all of them or none. */
export function spend(
  bucket: RateBucket | null,
  rate: Rate,
  amount: number,
  now: number,
): RateBucket | Refusal {
  const left = leftAt(bucket, rate, now)
  if (left + crumb >= amount)
    return { left: Math.max(0, left - amount), at: Math.max(now, bucket?.at ?? now) }
  const { count, perMs } = rate
  const limit = textOf(rate)
  if (amount > count)
    return refuse('rate_limited', `${amount} at once exceed the limit of ${limit}.`, { count, perMs })
  const retryAfterMs = Math.ceil(((amount - left) * perMs) / count)
  return refuse('rate_limited', `The limit of ${limit} is used up.`, { count, perMs, retryAfterMs })
}

export interface Reservation {
  readonly bucket: RateBucket
  /** How long until the amount has been refilled; whoever takes it waits so long. */
  readonly waitMs: number
}

/** Those who come together wait one behind the other. Where that would be longer than `holdMs` nothing is taken. */
export function reserve(
  bucket: RateBucket | null,
  rate: Rate,
  amount: number,
  now: number,
  holdMs: number,
): Reservation | Refusal {
  const left = leftAt(bucket, rate, now) - amount
  const waitMs = Math.max(0, Math.ceil(((-left - crumb) * rate.perMs) / rate.count))
  if (waitMs <= holdMs) return { bucket: { left, at: Math.max(now, bucket?.at ?? now) }, waitMs }
  const { count, perMs } = rate
  const message = `The limit of ${textOf(rate)} is used up.`
  return refuse('rate_limited', message, { count, perMs, retryAfterMs: waitMs - holdMs })
}

function textOf({ count, perMs, of: counted }: Rate): string {
  return `${count} ${counted === undefined ? '' : `${counted} `}per ${perMs / 1_000} s`
}

function leftAt(bucket: RateBucket | null, rate: Rate, now: number): number {
  if (bucket === null) return rate.count
  const elapsedMs = Math.max(0, now - bucket.at)
  return Math.min(rate.count, bucket.left + (elapsedMs * rate.count) / rate.perMs)
}
