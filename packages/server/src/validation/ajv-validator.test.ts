import { createHash } from 'node:crypto'
import { type AdmittedSchema, admitSchema, isRefusal } from '@millrace/domain'
import { afterAll, describe, expect, it } from 'vitest'
import type { Validator } from '../ports/validator.ts'
import { openAjvValidator } from './ajv-validator.ts'
import { planSchema } from './schema-plan.ts'

const validator: Validator = openAjvValidator()
afterAll(() => validator.close())

function schemaOf(schema: unknown): AdmittedSchema {
  const admitted = admitSchema(schema, (text) => createHash('sha256').update(text).digest('hex'))
  if (isRefusal(admitted)) throw new Error(admitted.message)
  return admitted
}

const isPlain = (schema: Record<string, unknown>): boolean => planSchema(schema).dearBecause === null

/** The same form once as it is and once with a keyword that sends it to a process. */
const bothWays = (schema: Record<string, unknown>): readonly [string, Record<string, unknown>][] => [
  ['on the event loop', schema],
  ['in a process', { ...schema, not: { const: 'nothing like it' } }],
]

const form = {
  title: 'Relax',
  type: 'object',
  properties: {
    steps: { type: 'integer', minimum: 1, maximum: 1_000, default: 10 },
    method: { enum: ['fire', 'bfgs'] },
    options: { type: 'object', properties: { tight: { type: 'boolean', default: false } }, default: {} },
  },
  required: ['method'],
  additionalProperties: false,
}

describe.each(bothWays(form))('validating %s', (_where, schema) => {
  const admitted = schemaOf(schema)

  it('[V1] fills in defaults and leaves what was handed in as it was', async () => {
    const given = [{ method: 'fire' }, { method: 'bfgs', steps: 3, options: {} }]
    const before = structuredClone(given)
    expect(await validator.validateAll(admitted, given)).toEqual([
      { method: 'fire', steps: 10, options: { tight: false } },
      { method: 'bfgs', steps: 3, options: { tight: false } },
    ])
    expect(given).toEqual(before)
  })

  it('[V2] tells what is wrong at its JSON pointer, in words', async () => {
    expect(await validator.validateAll(admitted, [{ steps: 0, speed: 1 }])).toEqual({
      refused: 'data_invalid',
      message: expect.stringMatching(/^\/method is required, and 2 more\.$/),
      details: {
        errors: expect.arrayContaining([
          { pointer: '/method', message: 'is required' },
          { pointer: '/speed', message: 'is not a known property' },
          { pointer: '/steps', message: 'must be >= 1' },
        ]),
      },
    })
    expect(await validator.validateAll(admitted, [{ method: 'x' }])).toMatchObject({
      details: { errors: [{ pointer: '/method', message: 'must be one of "fire", "bfgs"' }] },
    })
  })

  it('[V2] refuses all values for one that does not fit, and says which', async () => {
    const values = [{ method: 'fire' }, { method: 'fire' }, { method: 7 }]
    expect(await validator.validateAll(admitted, values)).toMatchObject({
      refused: 'data_invalid',
      message: expect.stringContaining('value 2: /method must be one of'),
      details: { errors: [{ index: 2, pointer: '/method' }] },
    })
  })

  it('[V3] tells at most 20 errors', async () => {
    const refusal = await validator.validateAll(admitted, Array(50).fill({ method: 1, steps: 'x' }))
    expect(isRefusal(refusal) && refusal.details?.errors).toHaveLength(20)
  })
})

it('[V1] without defaults the same objects come back', async () => {
  for (const [, schema] of bothWays({ type: 'object', properties: { a: { type: 'number' } } })) {
    const given = [{ a: 1 }]
    const answer = await validator.validateAll(schemaOf(schema), given)
    expect((answer as readonly unknown[])[0]).toBe(given[0])
  }
})

describe('schemas as people write them', () => {
  const pydantic = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      Mode: { enum: ['a', 'b'], title: 'Mode', type: 'string' },
      Point: {
        type: 'object',
        properties: { x: { type: 'number' }, at: { format: 'date-time', type: 'string' } },
      },
    },
    type: 'object',
    properties: {
      mode: { $ref: '#/$defs/Mode', default: 'a', 'x-custom-type': 'dropdown' },
      point: { anyOf: [{ $ref: '#/$defs/Point' }, { type: 'null' }], default: null },
      pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], minItems: 2 },
      colour: { type: 'string', format: 'color-hex', 'x-format': 'color' },
    },
  }

  it('[V4] what Pydantic writes is plain, and keywords and formats that are unknown are passed over', async () => {
    expect(isPlain(pydantic)).toBe(true)
    const schema = schemaOf(pydantic)
    expect(await validator.admit(schema)).toBeNull()
    expect(
      await validator.validateAll(schema, [{ pair: [1, 'x'], colour: 'nearly red', point: { x: 1 } }]),
    ).toEqual([{ pair: [1, 'x'], colour: 'nearly red', point: { x: 1 }, mode: 'a' }])
    expect(await validator.validateAll(schema, [{ point: { at: 'yesterday' } }])).toMatchObject({
      refused: 'data_invalid',
    })
    expect(await validator.validateAll(schema, [{ pair: ['x', 'x'] }])).toMatchObject({
      details: { errors: [{ pointer: '/pair/0', message: 'must be integer' }] },
    })
  })

  it('[V4] older drafts are understood: definitions, lists of items, their $schema', async () => {
    const schema = schemaOf({
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { count: { type: 'integer' } },
      properties: {
        n: { $ref: '#/definitions/count' },
        pair: { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] },
      },
    })
    expect(await validator.admit(schema)).toBeNull()
    expect(await validator.validateAll(schema, [{ n: 1, pair: [1, 'x'] }])).toEqual([
      { n: 1, pair: [1, 'x'] },
    ])
    expect(await validator.validateAll(schema, [{ n: 'x', pair: ['x'] }])).toMatchObject({
      details: { errors: [{ pointer: '/n' }, { pointer: '/pair/0' }] },
    })
  })

  it('[V4] a discriminator is tolerated', async () => {
    const schema = schemaOf({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
        { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
      discriminator: { propertyName: 'kind', mapping: { a: '#/oneOf/0' } },
    })
    expect(await validator.validateAll(schema, [{ kind: 'b' }])).toEqual([{ kind: 'b' }])
  })

  it.each([
    ['/properties/a/type', { properties: { a: { type: 'any' } } }],
    ['', { properties: { a: { $ref: '#/nowhere' } } }],
    ['/required', { required: 'a' }],
    ['/properties/__proto__', JSON.parse('{"properties":{"__proto__":{"default":{"bad":true}}}}')],
  ])('[V5] a schema that cannot be compiled is refused at %j', async (pointer, schema) => {
    expect(await validator.admit(schemaOf(schema))).toMatchObject({
      refused: 'schema_invalid',
      details: { pointer },
    })
  })

  it('[V5] a schema cannot make its own validation asynchronous and so pass over every error', async () => {
    const schema = schemaOf({ $async: true, type: 'object' })
    expect(await validator.validateAll(schema, ['no object'])).toMatchObject({ refused: 'data_invalid' })
  })

  it('[V5] schemas under one $id do not see each other', async () => {
    const [one, two] = ['string', 'number'].map((type) =>
      schemaOf({ $id: 'https://example.org/form', type: 'array', items: { $id: 'part', type } }),
    ) as [AdmittedSchema, AdmittedSchema]
    expect([await validator.admit(one), await validator.admit(two)]).toEqual([null, null])
    expect(await validator.validateAll(one, [['x']])).toEqual([['x']])
    expect(await validator.validateAll(two, [['x']])).toMatchObject({ refused: 'data_invalid' })
  })
})

describe('what goes to a process', () => {
  const chain = (length: number): Record<string, unknown> => {
    const part = (at: number) => ({ allOf: [{ $ref: `#/$defs/p${at}` }, { $ref: `#/$defs/p${at}` }] })
    const defs = Array.from({ length }, (_, at) => [`p${at}`, at === 0 ? { type: 'object' } : part(at - 1)])
    return { $defs: Object.fromEntries(defs), ...part(length - 1) }
  }

  it.each<[string, Record<string, unknown>]>([
    ['uniqueItems', { type: 'array', uniqueItems: true }],
    ['pattern', { properties: { a: { pattern: '^a' } } }],
    ['patternProperties', { patternProperties: { '^a': { type: 'string' } } }],
    ['not', { not: { type: 'string' } }],
    ['if', { if: { type: 'string' }, else: { type: 'number' } }],
    ['contains', { contains: { type: 'string' } }],
    ['a reference to itself', { properties: { next: { $ref: '#' } } }],
    ['a large enum', { enum: Array.from({ length: 300 }, (_, n) => n) }],
    ['a reference that is not a pointer', { $defs: { a: { $anchor: 'here' } }, $ref: '#here' }],
    ['alternatives inside alternatives', { anyOf: [{ anyOf: [{ anyOf: [{ type: 'null' }] }] }] }],
    ['its size', chain(12)],
    ['its size', { properties: Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, {}])) }],
  ])('[V6] %s', (reason, schema) => {
    expect(planSchema(schema).dearBecause).toBe(reason)
  })

  it('[V6] what is not referred to does not count, nor does what stands in a default', () => {
    expect(
      isPlain({ $defs: { a: { pattern: 'x' } }, properties: { b: { default: { pattern: '(' } } } }),
    ).toBe(true)
  })

  it('[V6] a long list is checked in a process even for a plain schema, and answered the same', async () => {
    const schema = schemaOf({ items: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 0 }] } })
    expect(isPlain(schema.schema as Record<string, unknown>)).toBe(true)
    const long = Array.from({ length: 50_000 }, (_, n) => n)
    expect(await validator.validateAll(schema, [long])).toEqual([long])
    expect(await validator.validateAll(schema, [[...long, -1]])).toMatchObject({
      details: { errors: expect.arrayContaining([{ pointer: '/50000', message: 'must be >= 0' }]) },
    })
  })
})
