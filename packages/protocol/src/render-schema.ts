// A schema as a table of fields that people can read.

/** What of JSON Schema the protocol uses. */
export interface Schema {
  readonly type?: unknown
  readonly enum?: unknown
  readonly const?: unknown
  readonly anyOf?: unknown
  readonly properties?: unknown
  readonly additionalProperties?: unknown
  readonly required?: unknown
  readonly items?: unknown
  readonly description?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly minLength?: unknown
  readonly maxLength?: unknown
  readonly minItems?: unknown
  readonly maxItems?: unknown
}

/** The rows of a table in Markdown; none where there are no fields to tell apart. */
export function fieldsOf(schema: object): string[] {
  const rows = rowsOf(schema as Schema, '')
  return rows.length === 0 ? [] : ['| field | type |', '| --- | --- |', ...rows]
}

/** What it is, in a few words and without the fields it may have. */
export function kindOf(schema: Schema): string {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as Schema[]).map(kindOf).join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => `\`${JSON.stringify(word)}\``).join(', ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.type === 'array')
    return `list${boundsOf(schema, 'minItems', 'maxItems', 'entries')} of ${itemsOf(schema)}`
  if (schema.type === 'object') return isEmpty(schema) ? 'an object without fields' : 'object'
  if (schema.type === 'string') return `text${boundsOf(schema, 'minLength', 'maxLength', 'characters')}`
  if (schema.type === 'integer') return `whole number${boundsOf(schema, 'minimum', 'maximum')}`
  if (schema.type === 'number') return `number${boundsOf(schema, 'minimum', 'maximum')}`
  return schema.type === undefined ? 'any JSON' : String(schema.type)
}

function rowsOf(schema: Schema, path: string): string[] {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as Schema[]).flatMap((one) => rowsOf(one, path))
  if (schema.type === 'array') return rowsOf(schema.items as Schema, `${path}[]`)
  const required = (schema.required ?? []) as readonly string[]
  return propertiesOf(schema).flatMap(([name, field]) => {
    const place = path === '' ? name : `${path}.${name}`
    const row = `| \`${place}${required.includes(name) ? '' : '?'}\` | ${kindOf(field)}${noteOf(field)} |`
    return [row, ...rowsOf(field, place)]
  })
}

function propertiesOf({ properties }: Schema): [string, Schema][] {
  return Object.entries((properties ?? {}) as Record<string, Schema>)
}

function isEmpty(schema: Schema): boolean {
  return schema.additionalProperties === false && propertiesOf(schema).length === 0
}

function itemsOf({ items }: Schema): string {
  const kind = kindOf(items as Schema)
  return kind === 'object' ? 'objects' : kind
}

function noteOf({ description }: Schema): string {
  return typeof description === 'string' && description !== 'any JSON value' ? `: ${description}` : ''
}

function boundsOf(schema: Schema, least: keyof Schema, most: keyof Schema, unit = ''): string {
  const [low, high] = [schema[least], schema[most]]
  const of = unit === '' ? '' : ` ${unit}`
  if (low !== undefined && high !== undefined) return ` (${low} to ${high}${of})`
  if (low !== undefined) return ` (at least ${low}${of})`
  return high === undefined ? '' : ` (at most ${high}${of})`
}
