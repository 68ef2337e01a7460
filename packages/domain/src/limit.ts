// A named range for a number that somebody else chose. Every refusal names the field, the value and the limit, so that
// nobody has to guess what would have been accepted.

import { type Refusal, type RefusalCode, refuse } from './refusal.ts'

export interface Limit {
  readonly min: number
  readonly max: number
  /** Whether only whole numbers are accepted. */
  readonly whole: boolean
}

export function whole(min: number, max: number): Limit {
  return { min, max, whole: true }
}

export function limitRefusal(code: RefusalCode, field: string, value: unknown, limit: Limit): Refusal | null {
  const { min, max } = limit
  const inside =
    typeof value === 'number' &&
    value >= min &&
    value <= max &&
    (limit.whole ? Number.isInteger(value) : Number.isFinite(value))
  if (inside) return null
  const kind = limit.whole ? 'a whole number' : 'a number'
  return refuse(code, `${field} has to be ${kind} from ${min} to ${max}, not ${String(value)}.`, {
    field,
    value,
    min,
    max,
  })
}
