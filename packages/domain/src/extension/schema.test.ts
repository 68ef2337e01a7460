import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { admitSchema, schemaLimits } from './schema.ts'
import { describeChanges, diffSchemas } from './schema-diff.ts'

const hashed = (text: string) => `hash of ${text}`

describe('admitting a schema', () => {
  it('[E6] a schema is named by the hash of its canonical text', () => {
    const schema = { type: 'object', properties: { b: {}, a: {} } }
    expect(admitSchema(schema, hashed)).toEqual({
      hash: 'hash of {"properties":{"a":{},"b":{}},"type":"object"}',
      schema,
    })
  })

  it.each([[null], [[]], ['{}'], [true], [undefined], [7]])('[E7] %j is no schema', (value) => {
    expect(admitSchema(value, hashed)).toMatchObject({ refused: 'schema_not_object' })
  })

  it('[E4] a schema has at most 100,000 bytes', () => {
    const frame = '{"title":""}'.length
    const title = (length: number) => ({ title: 'x'.repeat(length) })
    expect(admitSchema(title(schemaLimits.maxBytes - frame), hashed)).toHaveProperty('hash')
    expect(admitSchema(title(schemaLimits.maxBytes - frame + 1), hashed)).toMatchObject({
      refused: 'json_too_large',
      details: { limit: 100_000 },
    })
  })

  it('[E5] a schema nests at most 32 levels', () => {
    let schema: object = {}
    for (let level = 1; level < 32; level += 1) schema = { not: schema }
    expect(admitSchema(schema, hashed)).toHaveProperty('hash')
    expect(admitSchema({ not: schema }, hashed)).toMatchObject({
      refused: 'json_too_deep',
      details: { limit: 32 },
    })
  })

  it.each(['http://evil/x.json', 'other.json', '//host/x', 'file:///etc/passwd', 'urn:x', ''])(
    '[E8] a reference to %j leaves the schema and is refused',
    (target) => {
      expect(admitSchema({ properties: { a: { $ref: target } } }, hashed)).toMatchObject({
        refused: 'schema_remote_ref',
        details: { pointer: '/properties/a/$ref' },
      })
      expect(admitSchema({ allOf: [{ $dynamicRef: target }] }, hashed)).toMatchObject({
        refused: 'schema_remote_ref',
      })
    },
  )

  it('[E8] references inside the schema, and a property that is called $ref, are fine', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { properties: { $ref: { type: 'string' } } } } }
    expect(admitSchema(schema, hashed)).toHaveProperty('hash')
  })
})

describe('the difference of two schemas', () => {
  const before = {
    type: 'object',
    required: ['steps'],
    properties: {
      steps: { type: 'integer', minimum: 1 },
      'a/b': { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  }

  it('[E9] names what was added, removed and changed by JSON pointers', () => {
    const after = {
      type: 'object',
      required: ['seed', 'steps'],
      properties: { steps: { type: 'number' }, 'a/b': { anyOf: [{ type: 'string' }] }, seed: {} },
    }
    expect(diffSchemas(before, after)).toEqual([
      { change: 'changed', pointer: '/required', before: ['steps'], after: ['seed', 'steps'] },
      { change: 'changed', pointer: '/properties/steps/type', before: 'integer', after: 'number' },
      { change: 'removed', pointer: '/properties/steps/minimum', before: 1 },
      { change: 'removed', pointer: '/properties/a~1b/anyOf/1', before: { type: 'null' } },
      { change: 'added', pointer: '/properties/seed', after: {} },
    ])
  })

  it('[E9] compares lists of plain values as one and all others item by item', () => {
    expect(diffSchemas([1, 2], [0, 1, 2])).toEqual([
      { change: 'changed', pointer: '', before: [1, 2], after: [0, 1, 2] },
    ])
    expect(diffSchemas([1, { a: 1 }], [1, { a: 1 }])).toEqual([])
    expect(diffSchemas([1, 2], [1, {}])).toEqual([{ change: 'changed', pointer: '/1', before: 2, after: {} }])
    expect(diffSchemas([1, {}], [1, 2])).toEqual([{ change: 'changed', pointer: '/1', before: {}, after: 2 }])
  })

  it('[E9] is told in one line that says how much it leaves out', () => {
    const changes = diffSchemas({ a: 1, b: 2, c: 3 }, { a: 2, d: 4 })
    expect(describeChanges(changes, 9)).toBe('changed /a, removed /b, removed /c, added /d')
    expect(describeChanges(changes, 2)).toBe('changed /a, removed /b and 2 more')
    expect(describeChanges(diffSchemas([], {}), 2)).toBe('changed /')
  })

  it('[E9] is empty exactly when both have the same canonical text', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(value, value, (one, other) => {
        const same = canonicalJson(one, schemaLimits) === canonicalJson(other, schemaLimits)
        expect(diffSchemas(one, other).length === 0).toBe(same)
        expect(diffSchemas(one, structuredClone(one))).toEqual([])
      }),
      { seed: 74, numRuns: 1_000 },
    )
  })
})
