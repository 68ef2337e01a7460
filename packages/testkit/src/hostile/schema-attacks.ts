// Schemas that take for ever to compile or to hold data against, refer to themselves or to elsewhere, and data to match.

import type { HostileCase, HostileScene } from './hostile-scene.ts'

interface Bomb {
  readonly name: string
  readonly schema: unknown
  readonly data?: readonly unknown[]
}

const manyObjects = Array.from({ length: 12_000 }, (_, n) => ({ a: { b: [n] } }))

function alternatives(depth: number): unknown {
  if (depth === 0) return { type: 'string', minLength: 3 }
  return { anyOf: [alternatives(depth - 1), alternatives(depth - 1), alternatives(depth - 1)] }
}

function doubling(steps: number): unknown {
  const part = (at: number): unknown => ({ allOf: [{ $ref: `#/$defs/p${at}` }, { $ref: `#/$defs/p${at}` }] })
  const defs = Array.from({ length: steps }, (_, at) => [
    `p${at}`,
    at === 0 ? { type: 'array' } : part(at - 1),
  ])
  return { $defs: Object.fromEntries(defs), ...(part(steps - 1) as object) }
}

function nestedSchema(depth: number): unknown {
  return JSON.parse(`${'{"properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`)
}

const bombs: readonly Bomb[] = [
  { name: 'Unique', schema: { type: 'array', uniqueItems: true }, data: [manyObjects, [1, 1]] },
  { name: 'Pattern', schema: { pattern: '^(a+)+$' }, data: [`${'a'.repeat(50_000)}!`] },
  {
    name: 'PatternKeys',
    schema: { patternProperties: { '^(a|aa)+$': {} } },
    data: [{ ['a'.repeat(50_000)]: 1 }],
  },
  { name: 'PatternProgram', schema: { pattern: '(?:a{900}|b{900})'.repeat(4_000) } },
  { name: 'LookAhead', schema: { pattern: '(?=a)b' } },
  { name: 'Itself', schema: { $ref: '#' }, data: [1] },
  {
    name: 'EachOther',
    schema: { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    data: [1],
  },
  { name: 'Remote', schema: { $ref: 'http://127.0.0.1:1/schema.json' }, data: [1] },
  { name: 'File', schema: { $ref: 'file:///etc/passwd' }, data: [1] },
  { name: 'OwnId', schema: { $id: 'http://json-schema.org/draft-07/schema#', $ref: '#' }, data: [1] },
  { name: 'Meta', schema: { $schema: 'http://127.0.0.1:1/meta', type: 'object' }, data: [{}] },
  { name: 'Doubling', schema: doubling(30), data: [[]] },
  { name: 'AnyOf', schema: { items: alternatives(6) }, data: [Array.from({ length: 100_000 }, () => 1)] },
  { name: 'Deep', schema: nestedSchema(450), data: [{}] },
  {
    name: 'Prototype',
    schema: JSON.parse('{"properties":{"__proto__":{"default":{"polluted":1}}}}'),
    data: [{}],
  },
  {
    name: 'Defaults',
    schema: { items: { properties: { a: { default: 'x'.repeat(60_000) } } } },
    data: [Array.from({ length: 200_000 }, () => ({}))],
  },
  { name: 'Multiple', schema: { multipleOf: 1e-300 }, data: [1e300] },
  {
    name: 'Enum',
    schema: { items: { enum: Array.from({ length: 9_000 }, (_, n) => `word${n}`) } },
    data: [Array.from({ length: 50_000 }, () => 'word8999')],
  },
]

async function explode(scene: HostileScene, { name, schema, data = [] }: Bomb): Promise<void> {
  const { room } = scene
  const worker = { id: `mallory-${name}`, offers: { slots: 1 } }
  const registration = { worker, extensions: [{ room, category: 'bombs', name, schema }] }
  await scene.post('/api/workers/register', JSON.stringify(registration))
  for (const value of data) {
    const path = `/api/rooms/${room}/extensions/room/bombs/${name}/submit`
    await scene.post(path, JSON.stringify({ data: value }))
  }
}

export const schemaAttacks: readonly HostileCase[] = [
  {
    name: 'costly_schemas',
    title: '[X31] costly schemas and data are refused or stopped one by one',
    attack: async (scene) => {
      for (const bomb of bombs) await explode(scene, bomb)
    },
  },
  {
    name: 'costly_schemas_at_once',
    title: '[X31] costly schemas and data are refused or stopped when all come at once',
    attack: async (scene) => {
      await Promise.all(bombs.map((bomb) => explode(scene, bomb)))
    },
  },
]
