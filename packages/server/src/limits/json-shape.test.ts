import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonMaxDepth, jsonMaxMembers, jsonShapeRefusal } from './json-shape.ts'

const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"k${n}":[1,2]`).join(',')}}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('the shape of JSON before it is parsed', () => {
  it.each([
    ['as deep as may be', nested(jsonMaxDepth)],
    ['as many members as may be', members(jsonMaxMembers)],
    ['many objects with few members', `[${Array.from({ length: 60_000 }, () => '{"a":1,"b":2}').join(',')}]`],
    ['a long array', `[${'1,'.repeat(400_000)}1]`],
    ['a long array after an object', `{"a":[${'1,'.repeat(400_000)}1],"b":1}`],
    [
      'brackets and commas in a text',
      JSON.stringify({ a: '[{,'.repeat(300_000), b: `\\"${'['.repeat(5_000)}` }),
    ],
    ['what is no JSON', `]]]}}}${'x'.repeat(5_000)}"`],
  ])('[M160] %s passes', (_what, text) => {
    expect(jsonShapeRefusal(text)).toBeNull()
  })

  it.each([
    ['one level more', nested(jsonMaxDepth + 1), 'json_too_deep'],
    ['brackets that are never closed', '[{"a":'.repeat(100_000), 'json_too_deep'],
    ['brackets after a text with escapes', `["\\\\",${'['.repeat(2_000)}`, 'json_too_deep'],
    ['one member more', members(jsonMaxMembers + 1), 'json_too_large'],
    ['members far inside', `{"a":[1,{"b":${members(jsonMaxMembers + 1)}}]}`, 'json_too_large'],
  ])('[M160] %s is refused', (_what, text, refused) => {
    expect(jsonShapeRefusal(text)).toMatchObject({ refused })
  })

  it('[M160] whatever sensible data holds is let through', () => {
    const padded = fc.jsonValue({ maxDepth: 8 }).map((value) => JSON.stringify([' '.repeat(2_000), value]))
    fc.assert(
      fc.property(padded, (text) => jsonShapeRefusal(text) === null),
      { seed: 20_261_116 },
    )
  })
})
