import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asJson } from './as-json.ts'

describe('a result', () => {
  it('[K12] that is plain data goes as it is, and its size is about right', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const json = asJson(value)
        const text = JSON.stringify(json.value)
        expect(text).toBe(JSON.stringify(value))
        // Longest digits and escapes against the shortest: within a factor, and never off by a magnitude.
        expect(json.bytes).toBeLessThanOrEqual(text.length * 8 + 16)
        expect(text.length).toBeLessThanOrEqual(json.bytes * 6 + 16)
      }),
      { seed: 12 },
    )
  })

  it('[K12] with values of JavaScript goes as JSON writes them', () => {
    const when = new Date(0)
    expect(asJson({ when, gone: undefined, bytes: new Uint8Array([1]), none: Number.NaN }).value).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      bytes: { 0: 1 },
      none: null,
    })
    expect(asJson(undefined).value).toBe(undefined)
    expect(asJson(Number.NaN).value).toBe(null)
  })

  it('[K12] that JSON cannot hold is refused with the reason', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    for (const value of [10n, { deep: [10n] }, circle, () => 1, Symbol('x')]) {
      expect(() => asJson(value)).toThrow(/cannot be written as JSON/)
    }
  })
})
