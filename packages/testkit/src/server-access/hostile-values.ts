// Values that programs stumble over, whatever they were asked for.

import fc from 'fast-check'

const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\u202eabc',
  '👩‍🔬'.repeat(50),
  'é'.repeat(200),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '1e999',
  '-1',
  '0x10',
  '..',
  '../../secret',
  'a/b',
  'a\\b',
  '%2e%2e%2f',
  '%00',
  '%E0%A4%A',
  '?x=1#y',
  "' or 1=1 --",
  '{{7*7}}',
  '$' + '{jndi:x}',
  '\r\nx-injected: 1',
  'system',
  'job/',
  'room/hall',
  'x'.repeat(129),
  'x'.repeat(5_000),
]

/** JSON writes no infinity and no integer beyond a double, but a text can. */
const hostileNumbers: readonly unknown[] = [
  -1,
  -0,
  0.1,
  1.5,
  -1e308,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  raw('1e999'),
  raw('-1e999'),
  raw('123456789012345678901234567890'),
]

/** The library's types do not know it yet. */
function raw(text: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text)
}

const inherited: readonly unknown[] = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"hasOwnProperty":2,"then":3,"refused":"internal","length":-1}',
  '{"ok":true,"status":200,"toJSON":"x"}',
].map((text) => JSON.parse(text) as unknown)

/** Deeper than a few hundred and the report of a counterexample would not end well. */
export function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 0
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

const shapes: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  nested(100, (inner) => [inner]),
  nested(400, (inner) => [inner]),
  nested(400, (inner) => ({ a: inner })),
  'x'.repeat(200_000),
  Array.from({ length: 2_000 }, (_, n) => n),
  Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n])),
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

export const hostileNumber: fc.Arbitrary<unknown> = fc.constantFrom(...hostileNumbers)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(...inherited),
  fc.constantFrom(...shapes),
  fc.jsonValue({ maxDepth: 4 }),
)
