import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromTrack, sliderOf, toTrack, unitOf, widgetOf } from './field-look.ts'
import type { JsonSchema } from './json-schema.ts'

describe('how a field is drawn', () => {
  it.each<[JsonSchema, string]>([
    [{ type: 'string', enum: ['a', 'b'] }, 'choice'],
    [{ type: 'string', format: 'color' }, 'color'],
    [{ type: 'string', 'x-widget': 'color' }, 'color'],
    [{ type: 'integer' }, 'measure'],
    [{ type: 'array', items: { type: 'number' } }, 'list'],
    [{ type: 'array', items: { enum: ['x'] } }, 'CheckboxesWidget'],
    [{ type: 'array', items: { type: 'object', properties: { a: {} } } }, 'plain'],
    [{ type: 'string', maxLength: 5_000 }, 'longText'],
    [{ type: 'string', maxLength: 200 }, 'plain'],
    [{ type: 'string', 'x-widget': 'textarea' }, 'longText'],
    [{ type: 'boolean' }, 'plain'],
    [{ type: 'number', minimum: 0, maximum: 1, 'x-widget': 'number' }, 'measure'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'string' }, 'plain'],
    [{}, 'json'],
    [{ type: 'object' }, 'json'],
  ])('[U34] %j is a %s', (schema, widget) => {
    expect(widgetOf(schema)).toBe(widget)
  })

  it.each<[JsonSchema, string | null]>([
    [{ type: 'number', 'x-unit': 'eV' }, 'eV'],
    [{ type: 'number', unit: 'fs' }, 'fs'],
    [{ type: 'number', 'x-unit': 'eV', unit: 'fs' }, 'eV'],
    [{ type: 'number' }, null],
  ])('[U34] %j is shown with the unit %s', (schema, unit) => {
    expect(unitOf(schema)).toBe(unit)
  })

  it('[U34] a range that can be aimed at has a slider, by magnitudes where it spans many', () => {
    expect(sliderOf({ type: 'integer', minimum: 0, maximum: 200 })).toMatchObject({
      step: 1,
      logarithmic: false,
    })
    expect(sliderOf({ type: 'integer', minimum: 100, maximum: 2e10 })).toMatchObject({ logarithmic: true })
    expect(sliderOf({ type: 'integer', exclusiveMinimum: 0, maximum: 9 })).toMatchObject({
      least: 1,
      most: 9,
    })
    expect(sliderOf({ type: 'integer', minimum: 0, maximum: 4_294_967_295 })).toBeNull()
    expect(sliderOf({ type: 'integer', minimum: 0 })).toBeNull()
    expect(sliderOf({ type: 'number', minimum: 0, maximum: 1, 'x-widget': 'number' })).toBeNull()
  })

  it('[U34] along a slider every place is a value within the range, and a linear one comes back to its place', () => {
    const range = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 1_000 }))
    fc.assert(
      fc.property(range, fc.double({ min: 0, max: 1, noNaN: true }), ([least, width], share) => {
        const slider = sliderOf({ type: 'integer', minimum: least, maximum: least + width })!
        const value = fromTrack(share, slider)
        expect(value).toBeGreaterThanOrEqual(least)
        expect(value).toBeLessThanOrEqual(least + width)
        expect(fromTrack(toTrack(value, slider), slider)).toBe(value)
      }),
      { seed: 6 },
    )
    const wide = sliderOf({ type: 'integer', minimum: 100, maximum: 2e10 })!
    expect([0, 0.5, 1].map((share) => fromTrack(share, wide))).toEqual([100, 1_400_000, 2e10])
  })
})
