// The fields of an extension's form, read off its JSON Schema, in words. What the schema says beyond that (conditions,
// alternatives) is left to the server, which checks every submit.

export type Schema = Readonly<Record<string, unknown>>

export interface Field {
  /** With dots where it lies inside another, as `--set` takes it. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly default?: unknown
  /** Limits and choices, in words. */
  readonly allowed: string
  readonly about: string
}

/** Deeper forms are shown as objects: nobody types them on a command line. */
const maxDepth = 4

export function fieldsOf(schema: Schema): readonly Field[] {
  return fieldsIn(schema, schema, '', 0)
}

/** The schema itself where it is one, with references inside the same document followed. */
export function resolved(schema: unknown, root: Schema): Schema {
  let at: unknown = schema
  for (let hops = 0; hops < 32; hops++) {
    if (!isSchema(at)) return {}
    const { $ref: reference } = at
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at
    at = pointedAt(root, reference.slice(1))
  }
  return {}
}

/** What a value may be: the schema's own types and those of its alternatives. */
export function typesOf(schema: Schema, root: Schema): readonly string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  const { const: only } = schema
  if (only !== undefined) return [typeName(only)]
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(typeName))]
  const nested = alternativesOf(schema).flatMap((one) => typesOf(resolved(one, root), root))
  return [...new Set(nested)]
}

export function alternativesOf(schema: Schema): readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []))
}

export function propertiesOf(schema: Schema, root: Schema): Readonly<Record<string, unknown>> {
  const own = isSchema(schema.properties) ? schema.properties : {}
  const others = alternativesOf(schema).map((one) => propertiesOf(resolved(one, root), root))
  return Object.assign({}, ...others, own) as Record<string, unknown>
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsIn(schema: Schema, root: Schema, prefix: string, depth: number): readonly Field[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(propertiesOf(schema, root)).flatMap(([key, value]) => {
    const field = resolved(value, root)
    const name = `${prefix}${key}`
    const isForm = isSchema(field.properties) && depth < maxDepth
    if (isForm) return fieldsIn(field, root, `${name}.`, depth + 1)
    return [fieldOf(name, field, root, required.includes(key))]
  })
}

function fieldOf(name: string, schema: Schema, root: Schema, required: boolean): Field {
  return {
    name,
    type: typeWords(schema, root),
    required,
    ...(schema.default !== undefined && { default: schema.default }),
    allowed: allowedWords(schema),
    about: [schema.title, schema.description].filter((text) => typeof text === 'string').join(': '),
  }
}

function typeWords(schema: Schema, root: Schema): string {
  const types = typesOf(schema, root)
  if (types.length === 0) return 'anything'
  return types
    .map((type) => {
      const items = type === 'array' ? resolved(schema.items, root) : {}
      return type === 'array' && typesOf(items, root).length > 0 ? `list of ${typeWords(items, root)}` : type
    })
    .join(' or ')
}

function allowedWords(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(', ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const words = [
    rangeWords(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum === undefined ? '' : `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? '' : `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf === undefined ? '' : `multiples of ${schema.multipleOf}`,
    rangeWords(schema.minLength, schema.maxLength, ' characters'),
    rangeWords(schema.minItems, schema.maxItems, ' items'),
    typeof schema.pattern === 'string' ? `like ${schema.pattern}` : '',
    typeof schema.format === 'string' ? schema.format : '',
  ]
  return words.filter((word) => word !== '').join(', ')
}

function rangeWords(least: unknown, most: unknown, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (least !== undefined) return `at least ${least}${unit}`
  return most === undefined ? '' : `at most ${most}${unit}`
}

function pointedAt(root: Schema, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<unknown>((at, key) => {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    return isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
