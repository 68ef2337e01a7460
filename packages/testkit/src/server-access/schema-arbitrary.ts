// Values for a schema of the protocol: many fit all through, some nearly fit, some have nothing to do with it. Hints name
// values that mean something to the server, so that what fits also reaches the rules behind the form.

import fc from 'fast-check'
import { hostileNumber, hostileText, hostileValue } from './hostile-values.ts'

export type Hints = Readonly<Record<string, readonly unknown[]>>

/** Under this name stand attempts that a worker holds: `room`, `job` and `token`. */
export const attemptHint: string = ' attempt'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Tame: it fits. Wild: any part of it may be something else. */
type Temper = 'tame' | 'wild'

export function arbitraryOf(schema: Schema, hints: Hints): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: valueFor(schema, { hints, name: '', temper: 'tame' }) },
    { weight: 2, arbitrary: valueFor(schema, { hints, name: '', temper: 'wild' }) },
  )
}

interface Place {
  readonly hints: Hints
  readonly name: string
  readonly temper: Temper
}

function valueFor(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema, place)
  const hinted = hintsFor(schema, place)
  return fc.oneof(
    ...(hinted ? [{ weight: 12, arbitrary: fc.constantFrom(...hinted) }] : []),
    { weight: hinted ? 2 : 20, arbitrary: fitting },
    ...(place.temper === 'wild' ? [{ weight: 1, arbitrary: hostileValue }] : []),
  )
}

/** A name may mean a text in one message and an object in another. */
function hintsFor({ type }: Schema, { hints, name }: Place): readonly unknown[] | null {
  const kind = type === 'integer' ? 'number' : (type ?? 'object')
  const fit = (Object.hasOwn(hints, name) ? (hints[name] ?? []) : []).filter((hint) => typeof hint === kind)
  return fit.length === 0 ? null : fit
}

function fittingOf(schema: Schema, place: Place): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueFor(one, place)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, place)
    case 'array':
      return arrayOf(schema, place)
    case 'string':
      return textOf(schema, place)
    case 'integer':
    case 'number':
      return numberOf(schema, place)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostileValue)
  }
}

function objectOf({ properties, required = [] }: Schema, place: Place): fc.Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }))
  const names = Object.keys(properties)
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(schema, { ...place, name })]),
  )
  const whole = fc.record(fields, { requiredKeys: [...required] })
  if (place.temper === 'tame') return names.includes('job') ? ofAttempt(whole, place) : whole
  const lacking = fc.record(fields, { requiredKeys: [] })
  const crowded = fc
    .tuple(whole, fc.constantFrom('extra', '__proto__', 'constructor', names[0] ?? 'x'), hostileValue)
    .map(([value, key, extra]) => withKey(value, key, extra))
  return fc.oneof({ weight: 16, arbitrary: whole }, { weight: 1, arbitrary: lacking }, crowded)
}

/** A job and a token mean something only together. */
function ofAttempt(whole: fc.Arbitrary<object>, { hints }: Place): fc.Arbitrary<unknown> {
  const attempts = hints[attemptHint] ?? []
  if (attempts.length === 0) return whole
  return fc
    .tuple(whole, fc.constantFrom(...attempts))
    .map(([value, attempt]) => ('token' in value ? { ...value, ...(attempt as object) } : value))
}

/** An own field whatever its name, as JSON.parse makes it. */
function withKey(value: object, key: string, extra: unknown): object {
  return Object.defineProperty({ ...value }, key, {
    value: extra,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function arrayOf({ items = {}, minItems = 0, maxItems = 4 }: Schema, place: Place): fc.Arbitrary<unknown> {
  const item = valueFor(items, place)
  const few = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
  if (place.temper === 'tame') return few
  const many = fc.tuple(item, fc.constantFrom(0, maxItems, maxItems + 1)).map(([one, count]) => {
    return Array.from({ length: Math.min(count, 11_000) }, () => one)
  })
  return fc.oneof({ weight: 30, arbitrary: few }, { weight: 1, arbitrary: many })
}

function textOf({ minLength = 0, maxLength = 300 }: Schema, { temper }: Place): fc.Arbitrary<unknown> {
  if (temper === 'tame') return fc.string({ minLength, maxLength: Math.min(maxLength, 20) })
  const edge = fc.constantFrom(minLength, maxLength, maxLength + 1).map((length) => 'x'.repeat(length))
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, 20) }) },
    { weight: 1, arbitrary: edge },
    { weight: 2, arbitrary: hostileText },
  )
}

function numberOf({ type, minimum = -5, maximum = 100 }: Schema, { temper }: Place): fc.Arbitrary<unknown> {
  const inside =
    type === 'integer'
      ? fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) })
      : fc.double({ min: minimum, max: maximum, noNaN: true })
  if (temper === 'tame') return inside
  const edge = fc.constantFrom(minimum, minimum - 1, maximum, maximum + 1)
  return fc.oneof({ weight: 4, arbitrary: inside }, edge, hostileNumber)
}
