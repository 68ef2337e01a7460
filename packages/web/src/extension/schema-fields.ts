// The fields of a schema as rows to read: what they are called, what fits, what they are for.

import { unitOf } from './field-look.ts'
import type { JsonSchema } from './json-schema.ts'
import { normaliseSchema } from './normalise-schema.ts'

export interface SchemaField {
  /** With dots where it lies within another. */
  readonly path: string
  /** What fits, in words. */
  readonly fits: string
  readonly required: boolean
  readonly preset: string | null
  readonly about: string | null
}

/** Deeper than this, a table says less than the schema itself. */
const deepest = 3

export function schemaFields(schema: JsonSchema): readonly SchemaField[] {
  return fieldsIn(normaliseSchema(schema), '', 0)
}

function fieldsIn(schema: JsonSchema, before: string, depth: number): readonly SchemaField[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${before}${name}`
    const row: SchemaField = {
      path,
      fits: fitsText(field),
      required: required.has(name),
      preset: field.default === undefined ? null : JSON.stringify(field.default),
      about: field.description ?? null,
    }
    const inner = field.type === 'array' ? field.items : field
    const step = field.type === 'array' ? '[].' : '.'
    return depth < deepest && inner?.properties
      ? [row, ...fieldsIn(inner, `${path}${step}`, depth + 1)]
      : [row]
  })
}

export function fitsText(schema: JsonSchema): string {
  const { 'x-nullable': nullable } = schema
  const unit = unitOf(schema)
  const text = [plainText(schema), boundsText(schema), unit].filter((part) => part !== null && part !== '')
  return nullable ? `${text.join(' ')} or nothing` : text.join(' ')
}

function plainText({ enum: words, type, items, anyOf, oneOf, format }: JsonSchema): string {
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ')
  if (type === 'array') return items ? `list of ${plainText(items)}` : 'list'
  const choices = anyOf ?? oneOf
  if (choices) return choices.map(plainText).join(' or ')
  const kind = Array.isArray(type) ? type.join(' or ') : (type ?? 'anything')
  return format === undefined ? String(kind) : `${kind} (${format})`
}

function boundsText(schema: JsonSchema): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const least = minimum ?? exclusiveMinimum
  const most = maximum ?? exclusiveMaximum
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  if (least !== undefined) return `${minimum === undefined ? 'above' : 'from'} ${least}`
  if (most !== undefined) return `${maximum === undefined ? 'below' : 'to'} ${most}`
  return null
}
