import { expect, it } from 'vitest'
import { describeChecker } from './describe-checker.ts'
import { checkHead, checkSize } from './shape.ts'

const path = 'packages/domain/src/job/a.ts'
const long = 'x\n'.repeat(401)

describeChecker('[H8] a file over 400 lines has its reason written down', checkSize(), [
  { what: 'a long file', files: [{ path, text: long }], finds: 'has 401 lines' },
])

it('[H8] a reason excuses a long file, and is itself a problem once the file is short', () => {
  const check = checkSize({ [path]: 'it is a table' })
  expect(check([{ path, text: long }])).toEqual([])
  expect(check([{ path, text: 'x' }])).toEqual([`${path} has 1 lines and needs no reason any more`])
})

describeChecker('[H9] a source file opens with at most five lines about what it answers for', checkHead, [
  { what: 'no head at all', files: [{ path, text: 'export const a = 1' }], finds: 'does not open' },
  { what: 'a head after code', files: [{ path, text: "import './b.ts'\n// about" }], finds: 'does not open' },
  {
    what: 'a long head',
    files: [{ path, text: `${'// about\n'.repeat(6)}\nconst a = 1` }],
    finds: '6 lines',
  },
])

it('[H9] a table may follow the head after an empty comment line', () => {
  expect(checkHead([{ path, text: `// about\n//\n${'// a | b\n'.repeat(9)}const a = 1` }])).toEqual([])
})

it('[H9] comments after an empty line are not part of the head', () => {
  expect(checkHead([{ path, text: `// about\n\n${'// a constant\n'.repeat(6)}const a = 1` }])).toEqual([])
})
