import { describe, expect, it } from 'vitest'
import { checkData } from './check-data.ts'
import { isHalfTyped, isTextOf, jsonOfText, textOfJson } from './json-text.ts'

describe('JSON that is typed', () => {
  it('[U120] text that is JSON is its data, and shows as it was typed while the data is that', () => {
    expect(jsonOfText('{"a":1}')).toEqual({ a: 1 })
    expect(isTextOf('{"a":1}', { a: 1 })).toBe(true)
    expect(isTextOf('{"a":1}', { a: 2 })).toBe(false)
    expect(isTextOf('', undefined)).toBe(true)
    expect(isTextOf('', {})).toBe(true)
    expect(isTextOf('', { a: 1 })).toBe(false)
    expect(textOfJson({ a: 1 })).toBe('{\n  "a": 1\n}')
  })

  it('[U120] half-typed text stays what it is, and fits no schema', () => {
    const half = jsonOfText('{"a":')
    expect(isHalfTyped(half)).toBe(true)
    expect(textOfJson(half)).toBe('{"a":')
    expect(isTextOf('{"a":', half)).toBe(true)
    expect(isTextOf('{"a":', { a: 1 })).toBe(false)
    const schema = { type: 'object', properties: { options: {} } }
    expect(checkData(schema, { options: half })).toEqual([{ path: ['options'], message: 'is not JSON yet' }])
    expect(checkData({ properties: { options: { type: 'object' } } }, { options: half })).toHaveLength(1)
  })
})
