// How a field of a form is drawn, from its schema: the choices that a person would make who drew it by hand.

import { isObject, type JsonSchema } from './json-schema.ts'

export type Widget =
  | 'measure'
  | 'choice'
  | 'CheckboxesWidget'
  | 'color'
  | 'list'
  | 'longText'
  | 'json'
  | 'plain'

export interface Slider {
  readonly least: number
  readonly most: number
  readonly step: number
  /** Over several magnitudes: the way along it is in proportion to the logarithm. */
  readonly logarithmic: boolean
}

export function widgetOf(schema: JsonSchema): Widget {
  const hint = schema['x-widget']
  if (schema.format === 'color' || hint === 'color') return 'color'
  if (schema.enum) return 'choice'
  if (isNumeric(schema)) return 'measure'
  if (schema.type === 'array' && schema.items?.enum) return 'CheckboxesWidget'
  if (schema.type === 'array' && isScalar(schema.items)) return 'list'
  const long = hint === 'textarea' || (schema.maxLength ?? 0) > 200
  if (schema.type === 'string' && long) return 'longText'
  // Without a type, or open at the end: only its author knows what fits.
  const open = schema.type === undefined && !schema.anyOf && !schema.oneOf && !schema.properties
  const bare = schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0
  return open || bare ? 'json' : 'plain'
}

function isNumeric({ type }: JsonSchema): boolean {
  return type === 'number' || type === 'integer'
}

function isScalar(items: JsonSchema | undefined): boolean {
  if (!isObject(items) || items.enum) return false
  return items.type === 'number' || items.type === 'integer' || items.type === 'string'
}

export function unitOf(schema: JsonSchema): string | null {
  return schema['x-unit'] ?? schema.unit ?? null
}

/** A slider helps where a person can aim with it. */
const mostSteps = 10_000
const magnitudes = 1_000

export function sliderOf(schema: JsonSchema): Slider | null {
  if (schema['x-widget'] === 'number') return null
  const step = stepOf(schema)
  const least = schema.minimum ?? above(schema.exclusiveMinimum, step)
  const most = schema.maximum ?? above(schema.exclusiveMaximum, -step)
  if (least === undefined || most === undefined || most <= least) return null
  if (least > 0 && most / least >= magnitudes) return { least, most, step, logarithmic: true }
  return (most - least) / step <= mostSteps ? { least, most, step, logarithmic: false } : null
}

function above(bound: number | undefined, step: number): number | undefined {
  return bound === undefined ? undefined : bound + step
}

/** Of a real number: a hundredth of a magnitude below its range, so that every step can be seen. */
export function stepOf({ type, multipleOf, minimum, maximum }: JsonSchema): number {
  if (multipleOf !== undefined && multipleOf > 0) return multipleOf
  if (type === 'integer') return 1
  const range = (maximum ?? 1) - (minimum ?? 0)
  return range > 0 ? 10 ** (Math.floor(Math.log10(range)) - 3) : 0.001
}

/** Between 0 and 1, and back. */
export function toTrack(value: number, { least, most, logarithmic }: Slider): number {
  const bounded = Math.min(most, Math.max(least, value))
  return logarithmic ? Math.log(bounded / least) / Math.log(most / least) : (bounded - least) / (most - least)
}

export function fromTrack(share: number, { least, most, step, logarithmic }: Slider): number {
  if (!logarithmic) return rounded(least + share * (most - least), step)
  const value = least * (most / least) ** share
  // Two digits: whoever aims over magnitudes does not mean 31,622.
  return Math.min(most, Math.max(least, rounded(Number(value.toPrecision(2)), step)))
}

function rounded(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toPrecision(12))
}
