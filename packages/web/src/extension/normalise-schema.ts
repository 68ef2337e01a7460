// Makes the schemas that people and their libraries write into ones that a form can show: references are put in place,
// "T or null" as Pydantic writes it becomes a T that may be empty, and what has one choice offers no choice.

import { isObject, type JsonSchema } from './json-schema.ts'

/** A schema may contain itself. So deep nobody fills in a form, and there it ends. */
const deepest = 8

export function normaliseSchema(schema: JsonSchema): JsonSchema {
  return normalise(schema, schema, 0)
}

function normalise(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  if (depth > deepest) return { ...described(schema), type: 'object' }
  const { $defs: _defs, definitions: _definitions, ...own } = resolve(schema, root)
  const folded = foldNull(merged(own, root))
  const { properties, items, additionalProperties, anyOf, oneOf, const: only } = folded
  const inner = (each: JsonSchema): JsonSchema => normalise(each, root, depth + 1)
  return {
    ...folded,
    ...(only !== undefined && !folded.enum && { enum: [only] }),
    ...(properties && { properties: namedFields(properties, inner) }),
    ...(isObject(items) && { items: inner(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: inner(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  }
}

function resolve(schema: JsonSchema, root: JsonSchema, hops = 0): JsonSchema {
  const { $ref, ...beside } = schema
  if ($ref === undefined || hops > deepest) return beside
  const target = atPointer(root, $ref)
  // What stands beside a reference is about this use of it.
  return target ? resolve({ ...target, ...beside }, root, hops + 1) : beside
}

/** References within the schema only; the server refuses others. */
function atPointer(root: JsonSchema, ref: string): JsonSchema | null {
  if (!ref.startsWith('#')) return null
  const steps = ref
    .slice(1)
    .split('/')
    .filter((step) => step !== '')
  let at: unknown = root
  for (const step of steps) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(at)) return null
    at = at[name]
  }
  return isObject(at) ? (at as JsonSchema) : null
}

/** Older Pydantic writes a reference with a title as `allOf` of one. */
function merged(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema
  const [only, ...more] = allOf ?? []
  if (!only || more.length > 0) return schema
  return { ...resolve(only, root), ...own }
}

const isNull = (schema: JsonSchema): boolean => schema.type === 'null' || schema.const === null

function foldNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words } = schema
  if (Array.isArray(type) && type.includes('null')) {
    const rest = type.filter((each) => each !== 'null')
    return foldNull(nullable({ ...schema, type: rest.length === 1 ? (rest[0] ?? 'string') : rest }))
  }
  if (words?.includes(null)) return nullable({ ...schema, enum: words.filter((word) => word !== null) })
  const { anyOf, oneOf, ...beside } = schema
  const choices = anyOf ?? oneOf
  if (!choices?.some(isNull)) return schema
  const rest = choices.filter((choice) => !isNull(choice))
  const [only, ...more] = rest
  if (only && more.length === 0) return nullable({ ...only, ...beside })
  return nullable({ ...beside, ...(anyOf ? { anyOf: rest } : { oneOf: rest }) })
}

/** Nothing entered is what null means, so null is no default to show. */
function nullable(schema: JsonSchema): JsonSchema {
  const { default: preset, ...rest } = schema
  return { ...rest, ...(preset !== null && preset !== undefined && { default: preset }), 'x-nullable': true }
}

function namedFields(
  properties: Readonly<Record<string, JsonSchema>>,
  inner: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => {
      const field = inner(each)
      return [name, field.title === undefined ? { ...field, title: titleOf(name) } : field]
    }),
  )
}

/** `max_steps` and `maxSteps` are both "Max steps". */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  const [first = '', ...rest] = words
  return `${first.toUpperCase()}${rest.join('').replaceAll(/ [A-Z](?=[a-z])/g, (word) => word.toLowerCase())}`
}

function described({ title, description }: JsonSchema): JsonSchema {
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}

/** What was left empty and has to be there is null, where null is allowed; otherwise it stays away. */
export function completeData(schema: JsonSchema, data: unknown): unknown {
  if (Array.isArray(data)) {
    const { items } = schema
    return items ? data.map((each) => completeData(items, each)) : data
  }
  if (!isObject(data)) return data
  const { properties = {}, required = [] } = schema
  const filled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    if (value !== undefined) filled[name] = completeData(properties[name] ?? {}, value)
  }
  for (const name of required) {
    if (filled[name] === undefined && properties[name]?.['x-nullable'] === true) filled[name] = null
  }
  return filled
}
