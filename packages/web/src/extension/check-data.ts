// Looks at what was entered before it is sent, so that a mistake is shown where it was made. It compiles nothing, because
// the page's policy forbids making code of text. The server has the last word, and patterns are left to it.

import { isObject, type JsonSchema } from './json-schema.ts'
import { isHalfTyped } from './json-text.ts'

export interface Mistake {
  readonly path: readonly string[]
  readonly message: string
}

export function checkData(
  schema: JsonSchema,
  data: unknown,
  path: readonly string[] = [],
): readonly Mistake[] {
  if (data === null && schema['x-nullable'] === true) return []
  if (isHalfTyped(data)) return mistake(path, 'is not JSON yet')
  return [
    ...checkType(schema, data, path),
    ...checkWords(schema, data, path),
    ...checkNumber(schema, data, path),
    ...checkText(schema, data, path),
    ...checkItems(schema, data, path),
    ...checkFields(schema, data, path),
    ...checkChoices(schema, data, path),
  ]
}

export function fits(schema: JsonSchema, data: unknown): boolean {
  return checkData(schema, data).length === 0
}

function mistake(path: readonly string[], message: string): readonly Mistake[] {
  return [{ path, message }]
}

/** Digits by threes, with spaces that keep a number on one line. */
function grouped(value: number): string {
  if (Math.abs(value) >= 1e15) return String(value)
  return value.toLocaleString('en', { maximumFractionDigits: 20 }).replaceAll(',', '\u00a0')
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'fields',
  null: 'empty',
}

function checkType({ type }: JsonSchema, data: unknown, path: readonly string[]): readonly Mistake[] {
  if (type === undefined) return []
  const types = Array.isArray(type) ? type : [type]
  if (types.some((each) => kinds[each]?.(data) ?? true)) return []
  return mistake(path, `must be ${types.map((each) => names[each] ?? each).join(' or ')}`)
}

function checkWords(
  { enum: words, const: only }: JsonSchema,
  data: unknown,
  path: readonly string[],
): readonly Mistake[] {
  if (words && !words.some((word) => isSame(word, data))) {
    return mistake(path, `must be one of ${words.map(String).join(', ')}`)
  }
  return only === undefined || isSame(only, data) ? [] : mistake(path, `must be ${String(only)}`)
}

function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

function checkNumber(schema: JsonSchema, data: unknown, path: readonly string[]): readonly Mistake[] {
  if (typeof data !== 'number') return []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (minimum !== undefined && data < minimum) return mistake(path, `must be at least ${grouped(minimum)}`)
  if (maximum !== undefined && data > maximum) return mistake(path, `must be at most ${grouped(maximum)}`)
  if (exclusiveMinimum !== undefined && data <= exclusiveMinimum)
    return mistake(path, `must be more than ${grouped(exclusiveMinimum)}`)
  if (exclusiveMaximum !== undefined && data >= exclusiveMaximum)
    return mistake(path, `must be less than ${grouped(exclusiveMaximum)}`)
  if (multipleOf !== undefined && multipleOf > 0) {
    const times = data / multipleOf
    if (Math.abs(times - Math.round(times)) > 1e-9)
      return mistake(path, `must be a multiple of ${grouped(multipleOf)}`)
  }
  return []
}

function checkText(
  { minLength, maxLength }: JsonSchema,
  data: unknown,
  path: readonly string[],
): readonly Mistake[] {
  if (typeof data !== 'string') return []
  const length = [...data].length
  if (minLength !== undefined && length < minLength)
    return mistake(
      path,
      minLength === 1 ? 'is required' : `must have at least ${grouped(minLength)} characters`,
    )
  return maxLength !== undefined && length > maxLength
    ? mistake(path, `must have at most ${grouped(maxLength)} characters`)
    : []
}

function checkItems(
  { items, minItems, maxItems }: JsonSchema,
  data: unknown,
  path: readonly string[],
): readonly Mistake[] {
  if (!Array.isArray(data)) return []
  if (minItems !== undefined && data.length < minItems)
    return mistake(path, `must have at least ${grouped(minItems)} entries`)
  if (maxItems !== undefined && data.length > maxItems)
    return mistake(path, `must have at most ${grouped(maxItems)} entries`)
  if (!items) return []
  return data.flatMap((each, index) => checkData(items, each, [...path, String(index)]))
}

function checkFields(schema: JsonSchema, data: unknown, path: readonly string[]): readonly Mistake[] {
  if (!isObject(data)) return []
  const { properties = {}, required = [], additionalProperties } = schema
  const missing = required
    .filter((name) => data[name] === undefined)
    .flatMap((name) => mistake([...path, name], 'is required'))
  const found = Object.entries(data).flatMap(([name, value]) => {
    const field = properties[name]
    if (value === undefined) return []
    if (field) return checkData(field, value, [...path, name])
    if (additionalProperties === false) return mistake(path, `has no field ${name}`)
    return isObject(additionalProperties) ? checkData(additionalProperties, value, [...path, name]) : []
  })
  return [...missing, ...found]
}

function checkChoices(
  { anyOf, oneOf, allOf }: JsonSchema,
  data: unknown,
  path: readonly string[],
): readonly Mistake[] {
  const choices = anyOf ?? oneOf
  const all = (allOf ?? []).flatMap((each) => checkData(each, data, path))
  if (!choices || choices.some((choice) => fits(choice, data))) return all
  const [only, ...more] = choices
  return [
    ...all,
    ...(only && more.length === 0
      ? checkData(only, data, path)
      : mistake(path, 'must fit one of the choices')),
  ]
}
