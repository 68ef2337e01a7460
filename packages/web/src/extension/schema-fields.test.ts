import { describe, expect, it } from 'vitest'
import type { JsonSchema } from './json-schema.ts'
import { fitsText, schemaFields } from './schema-fields.ts'

describe('a schema to read', () => {
  it.each<readonly [string, JsonSchema]>([
    ['integer 1 to 10', { type: 'integer', minimum: 1, maximum: 10 }],
    ['number above 0 eV', { type: 'number', exclusiveMinimum: 0, 'x-unit': 'eV' }],
    ['"a" | "b"', { enum: ['a', 'b'] }],
    ['list of number', { type: 'array', items: { type: 'number' } }],
    ['string (date) or nothing', { type: 'string', format: 'date', 'x-nullable': true }],
    ['anything', {}],
  ])('[U65] says what fits: %s', (text, schema) => {
    expect(fitsText(schema)).toBe(text)
  })

  it('[U65] has a row for every field, also for those within others', () => {
    const fields = schemaFields({
      type: 'object',
      required: ['cell'],
      properties: {
        cell: { type: 'object', properties: { a: { type: 'number', default: 1 } } },
        atoms: { type: 'array', items: { type: 'object', properties: { z: { type: 'integer' } } } },
      },
    })
    expect(fields.map(({ path, required, preset }) => [path, required, preset])).toEqual([
      ['cell', true, null],
      ['cell.a', false, '1'],
      ['atoms', false, null],
      ['atoms[].z', false, null],
    ])
  })
})
