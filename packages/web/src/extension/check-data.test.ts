import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkData, fits } from './check-data.ts'
import type { JsonSchema } from './json-schema.ts'

const schema: JsonSchema = {
  type: 'object',
  required: ['steps'],
  additionalProperties: false,
  properties: {
    steps: { type: 'integer', minimum: 1, maximum: 10 },
    share: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.25 },
    atoms: { type: 'integer', maximum: 2_000_000_000 },
    kind: { enum: ['a', 'b', 3] },
    name: { type: 'string', minLength: 2, maxLength: 4 },
    cell: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'number' } },
    either: { anyOf: [{ type: 'boolean' }, { type: 'object', required: ['x'] }] },
  },
}

describe('what was entered', () => {
  it.each<[unknown, string, string]>([
    [{}, 'steps', 'is required'],
    [{ steps: 0 }, 'steps', 'must be at least 1'],
    [{ steps: 1, atoms: 3e9 }, 'atoms', 'must be at most 2\u00a0000\u00a0000\u00a0000'],
    [{ steps: 1.5 }, 'steps', 'must be a whole number'],
    [{ steps: 1, share: 0.3 }, 'share', 'must be a multiple of 0.25'],
    [{ steps: 1, kind: 'c' }, 'kind', 'must be one of a, b, 3'],
    [{ steps: 1, name: '' }, 'name', 'must have at least 2 characters'],
    [{ steps: 1, cell: [1, 'x'] }, 'cell.1', 'must be a number'],
    [{ steps: 1, either: {} }, 'either', 'must fit one of the choices'],
    [{ steps: 1, more: 1 }, '', 'has no field more'],
  ])('[U35] %j has its mistake at "%s"', (data, path, message) => {
    expect(checkData(schema, data)).toContainEqual({ path: path === '' ? [] : path.split('.'), message })
  })

  it('[U35] fits here exactly when it fits at the server', () => {
    const server = new Ajv2020({ strict: false }).compile(schema)
    const data = fc.record(
      {
        steps: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constant(2.5), fc.constant('2')),
        share: fc.constantFrom(0, 0.25, 0.5, 0.3, null),
        kind: fc.constantFrom('a', 3, 'c', '3'),
        name: fc.constantFrom('', 'ab', 'ä🙂', 'abcde', 1),
        cell: fc.array(fc.oneof(fc.integer(), fc.constant('x')), { maxLength: 4 }),
        either: fc.constantFrom(true, {}, { x: 1 }, 'x'),
        more: fc.constant(1),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(data, (entered) => {
        expect(fits(schema, entered)).toBe(server(entered))
      }),
      { numRuns: 2_000, seed: 6 },
    )
  })
})
