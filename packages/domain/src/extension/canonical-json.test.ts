import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import { canonicalJson, isPlainObject, type JsonLimits } from './canonical-json.ts'
import { utf8Bytes } from './utf8-bytes.ts'

const limits: JsonLimits = { maxBytes: 100_000, maxDepth: 32 }

/** The same value with the keys of every object in another order. */
function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversedKeys(inner)]))
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)]
}

describe('canonical JSON', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ 10: 'ten', 9: 'nine', a: {} }, '{"10":"ten","9":"nine","a":{}}'],
    [[], '[]'],
    [[3, 1, 2], '[3,1,2]'],
    [-0, '0'],
    [1e21, '1e+21'],
    [0.1 + 0.2, '0.30000000000000004'],
    ['"\n\u2028é', '"\\"\\n\u2028é"'],
    ['\ud800', '"\\ud800"'],
    [JSON.parse('{"__proto__": 1}'), '{"__proto__":1}'],
  ])('[E1] %j is written as %s', (value, text) => {
    expect(canonicalJson(value, limits)).toBe(text)
  })

  it('[E1] the order of keys does not matter, the order of items does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversedKeys(value), limits)).toBe(canonicalJson(value, limits))
      }),
      { seed: 71, numRuns: 500 },
    )
    expect(canonicalJson([1, 2], limits)).not.toBe(canonicalJson([2, 1], limits))
  })

  it('[E2] what is written reads back as the same value, and is written the same again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value, limits) as string
        const back: unknown = JSON.parse(text)
        expect(back).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(back, limits)).toBe(text)
      }),
      { seed: 72, numRuns: 500 },
    )
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['function', () => 1],
    ['symbol', Symbol('x')],
    ['bigint', 1n],
    ['a map', new Map()],
    ['a set', new Set()],
  ])('[E3] %s has no JSON, wherever it stands', (_kind, value) => {
    expect(canonicalJson(value, limits)).toMatchObject({ refused: 'not_json', details: { pointer: '' } })
    expect(canonicalJson({ 'a/b': [0, { 'm~n': value }] }, limits)).toMatchObject({
      refused: 'not_json',
      details: { pointer: '/a~1b/1/m~0n' },
    })
  })

  it('[E3] a refusal says what it met', () => {
    expect(canonicalJson([Number.NaN], limits)).toMatchObject({
      message: 'There is no JSON for the NaN at /0.',
    })
    expect(canonicalJson(() => 1, limits)).toMatchObject({
      message: 'There is no JSON for the function at the top.',
    })
  })

  it('[E3] a hole in an array has no JSON', () => {
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    expect(canonicalJson([1, , 2], limits)).toMatchObject({ refused: 'not_json', details: { pointer: '/1' } })
  })

  it('[E4] the limit counts bytes of UTF-8, not characters', () => {
    const value = 'é'.repeat(10)
    expect(canonicalJson(value, { ...limits, maxBytes: 22 })).toBe(`"${value}"`)
    expect(canonicalJson(value, { ...limits, maxBytes: 21 })).toMatchObject({
      refused: 'json_too_large',
      details: { limit: 21 },
    })
  })

  it('[E4] a value that shares its parts and would unfold without end is stopped at the limit', () => {
    let value: unknown = 'x'
    for (let level = 0; level < 30; level += 1) value = [value, value]
    expect(canonicalJson(value, limits)).toMatchObject({ refused: 'json_too_large' })
  })

  it('[E4] bytes are counted as an encoder counts them, halves of surrogate pairs included', () => {
    const edges = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff]
    const text = fc.array(fc.constantFrom(...edges)).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(text, (some) => {
        expect(utf8Bytes(some)).toBe(new TextEncoder().encode(some).length)
      }),
      { seed: 73, numRuns: 500 },
    )
  })

  it('[E5] a value may be nested as deep as the limit and no deeper', () => {
    expect(isRefusal(canonicalJson(nested(32), limits))).toBe(false)
    expect(canonicalJson(nested(33), limits)).toMatchObject({
      refused: 'json_too_deep',
      details: { limit: 32 },
    })
  })

  it('[E5] a value that contains itself is refused', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(canonicalJson(loop, limits)).toMatchObject({ refused: 'json_too_deep' })
  })
})
