import { expect, it } from 'vitest'
import { describeChecker } from './describe-checker.ts'
import { checkGetters } from './getters.ts'

const path = 'packages/server/src/http/a.ts'
const literal = 'export const a = (b: string) => ({\n  get c() {\n    return b\n  },\n})'

describeChecker('[H20] getters stand in classes, not in object literals', checkGetters, [
  { what: 'a getter in a literal', files: [{ path, text: literal }], finds: `${path}:2 has a getter` },
  {
    what: 'a literal within a class',
    files: [{ path, text: `class A {\n  b() {\n    return { set c(d: number) {} }\n  }\n}` }],
    finds: `${path}:3 has a getter`,
  },
])

it('[H20] a getter of a class, however its head is written, and a word in prose are none', () => {
  const text =
    "// get it(\nexport class A<B>\n  extends C\n{\n  get d() {\n    return '{ get e() {} }'\n  }\n}"
  expect(checkGetters([{ path, text }])).toEqual([])
})
