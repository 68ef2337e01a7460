// The data of a job from `--data` and `--set name=value`. A value is read as the extension's schema wants it; where that
// does not fit it stays a text, and the server says what is wrong with it.

import {
  alternativesOf,
  isSchema,
  propertiesOf,
  resolved,
  type Schema,
  typesOf,
} from '../extension/schema-fields.ts'
import { usageError } from '../output/cli-error.ts'

type Data = Readonly<Record<string, unknown>>

export function withValues(base: unknown, sets: readonly string[], schema: Schema): unknown {
  if (sets.length === 0) return base
  if (!isSchema(base)) throw usageError('--set adds to an object, and --data is none.')
  const given = new Set<string>()
  let data: Data = base
  for (const set of sets) {
    const at = set.indexOf('=')
    if (at < 1) throw usageError(`--set ${set}: it has to be name=value.`, 'For example --set steps=100.')
    const [name, text] = [set.slice(0, at), set.slice(at + 1)]
    data = placed(data, pathOf(name, schema), text, { schema, root: schema, again: given.has(name) })
    given.add(name)
  }
  return data
}

interface Place {
  readonly schema: Schema
  readonly root: Schema
  /** The name was set before on this command line. */
  readonly again: boolean
}

/** Dots lead into objects, unless a field is called so. */
function pathOf(name: string, schema: Schema): readonly string[] {
  return Object.hasOwn(propertiesOf(schema, schema), name) ? [name] : name.split('.')
}

function placed(data: Data, [key = '', ...rest]: readonly string[], text: string, place: Place): Data {
  const { root, again } = place
  const schema = fieldAt(place.schema, key, root)
  const before = Object.hasOwn(data, key) ? data[key] : undefined
  if (rest.length > 0) {
    const inner = isSchema(before) ? before : {}
    return { ...data, [key]: placed(inner, rest, text, { schema, root, again }) }
  }
  const value = readValue(text, schema, root)
  const isMore = again && Array.isArray(before)
  return { ...data, [key]: isMore ? [...before, ...(Array.isArray(value) ? value : [value])] : value }
}

function fieldAt(schema: Schema, key: string, root: Schema): Schema {
  const properties = propertiesOf(schema, root)
  if (Object.hasOwn(properties, key)) return resolved(properties[key], root)
  return resolved(schema.additionalProperties, root)
}

function readValue(text: string, schema: Schema, root: Schema): unknown {
  const choice = choicesOf(schema).find((one) => String(one) === text)
  if (choice !== undefined) return choice
  const types = typesOf(schema, root)
  if (types.length === 0) return parsed(text) ?? text
  for (const type of ['boolean', 'integer', 'number', 'null', 'array', 'object']) {
    if (!types.includes(type)) continue
    const value = readAs(type, text, schema, root)
    if (value !== undefined) return value
  }
  return text
}

function readAs(type: string, text: string, schema: Schema, root: Schema): unknown {
  switch (type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'null':
      return text === 'null' ? null : undefined
    case 'array':
      return readList(text, schema, root)
    case 'object':
      return isSchema(parsed(text)) ? parsed(text) : undefined
    default:
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
  }
}

/** As JSON, or with commas between the items. */
function readList(text: string, schema: Schema, root: Schema): unknown {
  const json = parsed(text)
  if (Array.isArray(json)) return json
  if (text === '') return []
  const list = [schema, ...alternativesOf(schema).map((one) => resolved(one, root))]
  const items = resolved(list.find((one) => one.items !== undefined)?.items, root)
  return text.split(',').map((item) => readValue(item.trim(), items, root))
}

function choicesOf(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum
  return schema.const === undefined ? [] : [schema.const]
}

/** Undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
