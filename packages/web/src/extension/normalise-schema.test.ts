import { describe, expect, it } from 'vitest'
import type { JsonSchema } from './json-schema.ts'
import { completeData, normaliseSchema, titleOf } from './normalise-schema.ts'

const field = (schema: JsonSchema, more: JsonSchema = {}): JsonSchema | undefined =>
  normaliseSchema({ type: 'object', properties: { x: schema }, ...more }).properties?.['x']

describe('a schema made ready for a form', () => {
  it.each<[string, JsonSchema]>([
    [
      'anyOf, as Pydantic 2 writes it',
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null },
    ],
    ['oneOf', { oneOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }] }],
    ['a list of types', { type: ['integer', 'null'], minimum: 1 }],
  ])('[U31] "T or null" by %s is a T that may be empty', (_, schema) => {
    expect(field(schema)).toEqual({ type: 'integer', minimum: 1, 'x-nullable': true, title: 'X' })
  })

  it('[U31] of several choices only null is taken out', () => {
    const folded = field({ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }], default: 3 })
    expect(folded).toEqual({
      anyOf: [{ type: 'string' }, { type: 'integer' }],
      default: 3,
      'x-nullable': true,
      title: 'X',
    })
    expect(field({ enum: ['a', null] })).toMatchObject({ enum: ['a'], 'x-nullable': true })
  })

  it('[U31] what is left empty is null where it has to be there, and stays away otherwise', () => {
    const schema = normaliseSchema({
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: ['number', 'null'] },
        b: { type: 'number' },
        c: { type: ['number', 'null'] },
        in: { type: 'object', required: ['d'], properties: { d: { type: ['string', 'null'] } } },
      },
    })
    expect(completeData(schema, { a: undefined, c: undefined, in: {} })).toEqual({ a: null, in: { d: null } })
  })

  it('[U32] references are put in place, with what stands beside them on top', () => {
    const $defs = { Kind: { enum: ['a', 'b'], title: 'Kind', description: 'of all' } }
    const here = field({ $ref: '#/$defs/Kind', description: 'of this' }, { $defs })
    expect(here).toEqual({ enum: ['a', 'b'], title: 'Kind', description: 'of this' })
    expect(
      field({ allOf: [{ $ref: '#/definitions/Kind' }], title: 'Own' }, { definitions: $defs }),
    ).toMatchObject({
      enum: ['a', 'b'],
      title: 'Own',
    })
  })

  it('[U32] a schema that contains itself comes to an end, and one that leads out is left away', () => {
    const tree: JsonSchema = {
      type: 'object',
      properties: { child: { $ref: '#' }, far: { $ref: 'https://elsewhere.example/x' } },
    }
    const made = normaliseSchema(tree)
    expect(JSON.stringify(made).length).toBeLessThan(5_000)
    expect(JSON.stringify(made)).not.toContain('$ref')
    const loop = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
    expect(field({ $ref: '#/$defs/a' }, loop)).toEqual({ title: 'X' })
  })

  it.each([
    ['max_steps', 'Max steps'],
    ['maxSteps', 'Max steps'],
    ['up-to', 'Up to'],
    ['pbc', 'Pbc'],
    ['usePBC', 'Use PBC'],
  ])('[U33] a field called %s and nothing else is shown as %s', (name, title) => {
    expect(titleOf(name)).toBe(title)
  })
})
