import { describe, expect, it } from 'vitest'
import { fieldsOf } from './schema-fields.ts'

const fieldOf = (schema: Record<string, unknown>) =>
  fieldsOf({ type: 'object', properties: { it: schema } })[0]

describe('the fields of a form', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'integer', '1 to 9'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'number', 'more than 0'],
    [{ type: 'string', maxLength: 20 }, 'string', 'at most 20 characters'],
    [{ type: 'string', minLength: 2 }, 'string', 'at least 2 characters'],
    [{ type: 'string', format: 'date' }, 'string', 'date'],
    [{ enum: ['fast', 'slow'] }, 'string', '"fast", "slow"'],
    [
      { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
      'list of number',
      '3 to 3 items',
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null', ''],
    [{}, 'anything', ''],
  ])('[N30] %j is told in words', (schema, type, allowed) => {
    expect(fieldOf(schema)).toMatchObject({ type, allowed })
  })

  it('[N30] names lead into objects, and defaults, needs and descriptions are told', () => {
    const fields = fieldsOf({
      type: 'object',
      required: ['mode'],
      $defs: { cell: { type: 'object', properties: { pbc: { type: 'boolean', default: true } } } },
      properties: {
        mode: { type: 'string', title: 'Mode', description: 'how' },
        cell: { $ref: '#/$defs/cell' },
      },
    })
    expect(fields).toEqual([
      { name: 'mode', type: 'string', required: true, allowed: '', about: 'Mode: how' },
      { name: 'cell.pbc', type: 'boolean', required: false, default: true, allowed: '', about: '' },
    ])
  })

  it('[N30] a schema that leads into itself, or nowhere, ends', () => {
    const itself = { $ref: '#/$defs/it' }
    const tree = { type: 'object', properties: { left: itself } }
    expect(fieldsOf({ properties: { it: itself }, $defs: { it: tree } }).map(({ name }) => name)).toEqual([
      'it.left.left.left.left',
    ])
    expect(fieldOf({ $ref: '#/$defs/none' })).toMatchObject({ type: 'anything' })
    expect(fieldOf({ $ref: '#/properties/it' })).toMatchObject({ type: 'anything' })
  })
})
