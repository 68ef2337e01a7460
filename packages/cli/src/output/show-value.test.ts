import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { showValue } from './show-value.ts'

describe('a value for the eye', () => {
  it('[N55] is the same value when nothing is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(showValue(value, { brief: false }))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { seed: 4 },
    )
  })

  it('[N55] on a terminal has the beginning of a long list and how much more there is', () => {
    const figure = { y: Array.from({ length: 250 }, (_, n) => n), label: 'π', series: [{ values: [1, 2] }] }
    expect(showValue(figure, { brief: true }).split('\n')).toEqual([
      '{',
      '  "y": [0, 1, 2, … 247 more],',
      '  "label": "π",',
      '  "series": [',
      '    {',
      '      "values": [1, 2]',
      '    }',
      '  ]',
      '}',
    ])
    expect(showValue('x'.repeat(5_000), { brief: true })).toMatch(/^"x{399}… \(5002 characters\)$/)
  })
})
