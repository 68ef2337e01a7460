// Compiles a JSON Schema with Ajv. Each schema gets an instance of its own: a shared one remembers every `$id`, and one
// worker's schema would be found, or found ambiguous, from another's. Patterns run on a linear-time engine.

import { isPlainObject, pointerToken, type Refusal, refuse } from '@millrace/domain'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { RE2JS } from 're2js'

/** The errors of one value; null when it fits. Fills in defaults. */
export type Check = (value: unknown) => readonly ErrorObject[] | null

type Schema = Readonly<Record<string, unknown>>

class PatternUnsupported extends Error {
  readonly pattern: string

  constructor(pattern: string, reason: string) {
    super(reason)
    this.pattern = pattern
  }
}

const linearRegExp = Object.assign(
  (pattern: string): RE2JS => {
    try {
      return RE2JS.compile(RE2JS.translateRegExp(pattern))
    } catch (fault) {
      throw new PatternUnsupported(pattern, fault instanceof Error ? fault.message : String(fault))
    }
  },
  { code: 'linearRegExp' },
)

const options: Options = {
  // Keywords and formats nobody here knows (x-…, discriminator) are for others; they are not ours to refuse.
  strict: false,
  logger: false,
  allErrors: true,
  useDefaults: true,
  // Otherwise an object would have what all objects inherit: `required: ['constructor']` would always hold.
  ownProperties: true,
  validateSchema: false,
  meta: false,
  // Each halves what compiling takes: code that is not optimised, not repeated per use, not unrolled per entry.
  inlineRefs: false,
  loopRequired: 4,
  loopEnum: 4,
  code: { optimize: false, regExp: linearRegExp },
}

/** One for each way of writing tuples, as meta-schemas differ in it. They check schemas and keep none. */
const metaSchemas: { modern?: Ajv2020; tuples?: Ajv } = {}

export function compileSchema(schema: Schema): Check | Refusal {
  try {
    const forbidden = forbiddenKey(schema, '')
    if (forbidden !== null) return refuseSchema(`the property ${forbidden} cannot be used`, forbidden)
    const tuples = hasListOfItems(schema)
    const { $schema: _dialect, $async: _async, ...own } = schema
    const broken = metaErrors(own, tuples)
    if (broken !== null) return broken
    const ajv = tuples ? new Ajv(options) : new Ajv2020(options)
    formats.default(ajv)
    const validate = ajv.compile(own)
    const check: Check = (value) => (validate(value) ? null : (validate.errors ?? []))
    return endlessRefusal(check) ?? check
  } catch (fault) {
    return refusalOf(fault, schema)
  }
}

/** Makes the first real call as quick as later ones. */
export function warmUp(tuples: boolean): void {
  compileSchema({ type: 'object', properties: { a: { type: 'integer', default: 1 } } })
  if (tuples) compileSchema({ items: [{ pattern: 'a' }] })
}

function metaErrors(schema: Schema, tuples: boolean): Refusal | null {
  metaSchemas.modern ??= new Ajv2020({ strict: false, logger: false })
  if (tuples) metaSchemas.tuples ??= new Ajv({ strict: false, logger: false })
  const meta = tuples ? metaSchemas.tuples : metaSchemas.modern
  if (!meta || meta.validateSchema(schema) === true) return null
  const [error] = meta.errors ?? []
  const pointer = error?.instancePath ?? ''
  return refuseSchema(`${pointer || 'the schema'} ${error?.message ?? 'is not valid'}`, pointer)
}

/** A reference that leads back to itself without going into the value never ends; any value shows it. */
function endlessRefusal(check: Check): Refusal | null {
  try {
    for (const probe of [null, 0, '', [], {}]) check(probe)
    return null
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault
    return refuse('schema_too_costly', 'The schema follows its own references without end.')
  }
}

function refusalOf(fault: unknown, schema: Schema): Refusal {
  if (fault instanceof PatternUnsupported) {
    const pointer = pointerOfPattern(schema, fault.pattern, '') ?? ''
    return refuse(
      'schema_pattern_unsupported',
      `The pattern at ${pointer} cannot be used: ${fault.message}.`,
      {
        pointer,
        pattern: fault.pattern.slice(0, 200),
      },
    )
  }
  if (fault instanceof RangeError) return refuse('schema_too_costly')
  return refuseSchema(fault instanceof Error ? fault.message : String(fault), '')
}

function refuseSchema(reason: string, pointer: string): Refusal {
  return refuse('schema_invalid', `The schema cannot be used: ${reason.slice(0, 500)}.`, { pointer })
}

/** Ajv passes over it without a word, and assigning to it would change what the object inherits. */
function forbiddenKey(part: unknown, pointer: string): string | null {
  return findIn(part, pointer, (key, _value, at) => (key === '__proto__' ? at : null))
}

function hasListOfItems(schema: Schema): boolean {
  return (
    findIn(schema, '', (key, value, at) => (key === 'items' && Array.isArray(value) ? at : null)) !== null
  )
}

function pointerOfPattern(schema: Schema, pattern: string, pointer: string): string | null {
  return findIn(schema, pointer, (key, value, at) => {
    if (key === 'pattern' && value === pattern) return at
    if (key !== 'patternProperties' || !isPlainObject(value) || !Object.hasOwn(value, pattern)) return null
    return `${at}/${pointerToken(pattern)}`
  })
}

/** The first answer in the order of keys. Depth is bounded by the schema's own limit. */
function findIn(
  part: unknown,
  pointer: string,
  find: (key: string, value: unknown, at: string) => string | null,
): string | null {
  if (typeof part !== 'object' || part === null) return null
  for (const [key, value] of Object.entries(part)) {
    const at = `${pointer}/${pointerToken(key)}`
    const found = find(key, value, at) ?? findIn(value, at, find)
    if (found !== null) return found
  }
  return null
}
