import { expect, it } from 'vitest'
import { describeChecker } from './describe-checker.ts'
import { checkSpecCoverage } from './spec-coverage.ts'

const spec = (...rules: readonly string[]): { path: string; text: string } => ({
  path: 'SPEC.md',
  text: rules.map((rule) => `- **${rule}** Something holds.`).join('\n'),
})
// Titles are put together here: written out, they would count as citations of this file.
const title = (rule: string): string => `it('[${rule}] it holds', () => {})`
const test = (...rules: readonly string[]): { path: string; text: string } => ({
  path: 'packages/domain/src/job/a.test.ts',
  text: rules.map(title).join('\n'),
})

const commented = { path: 'packages/domain/src/job/a.test.ts', text: `// ${title('J1')}` }

describeChecker('[H4] the rules of SPEC.md and those that test titles cite are one set', checkSpecCoverage, [
  { what: 'a rule without a test', files: [spec('J1', 'J2'), test('J1')], finds: 'J2 of SPEC.md' },
  {
    what: 'a test without a rule',
    files: [spec('J1'), test('J1', 'J9')],
    finds: 'J9',
  },
  { what: 'a rule defined twice', files: [spec('J1', 'J1'), test('J1')], finds: 'more than once' },
  { what: 'a rule only in a comment', files: [spec('J1'), commented], finds: 'J1 of SPEC.md' },
])

it('[H4] a title may cite several rules, in a table, a template or a contract suite', () => {
  const titles = [
    "it.each([])('[S1 S2] %s', f)",
    'it(`[S3, S4] $',
    '{name} holds`, f)',
    "it('[S5] [S6] a', f)",
  ]
  const suite = { path: 'packages/testkit/src/store-contract/a.ts', text: titles.join('') }
  expect(checkSpecCoverage([spec('S1', 'S2', 'S3', 'S4', 'S5', 'S6'), suite])).toEqual([])
})
