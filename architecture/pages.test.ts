import { expect, it } from 'vitest'
import { describeChecker } from './describe-checker.ts'
import { checkDecisions, checkLinks, checkMachine, checkTestCommand } from './pages.ts'

const page = (path: string, text: string): { path: string; text: string } => ({ path, text })
const decision = '# A\n\n## Context\n\n## Choice\n\n## What would change our mind\n'
const readme = page('README.md', '```sh\nnpm ci && npm test\n```\n')
const split = (...pieces: readonly string[]): string => pieces.join('')

describeChecker('[H11] every relative link in a page leads somewhere', checkLinks, [
  { what: 'a missing page', files: [page('docs/a.md', 'see [b](b.md)')], finds: 'links to b.md' },
  { what: 'a missing heading', files: [page('a.md', '# Words\n[x](#rules)')], finds: 'links to #rules' },
])

it('[H11] pages, folders, headings and the web are found, and code is not a link', () => {
  const text = '# One page\n[a](b.md) [b](docs/) [c](#one-page) [d](https://example.org) `[e](f.md)`'
  expect(checkLinks([page('a.md', text), page('b.md', ''), page('docs/c.md', '')])).toEqual([])
})

describeChecker('[H12] a decision has context, choice and what would change our mind', checkDecisions, [
  {
    what: 'a missing part',
    files: [page('docs/decisions/0001-a.md', '# A\n\n## Context\n\n## Choice\n')],
    finds: 'needs exactly',
  },
  { what: 'a gap in the numbers', files: [page('docs/decisions/0002-a.md', decision)], finds: 'number 0001' },
])

describeChecker('[H13] nothing tracked names the machine it was written on', checkMachine, [
  { what: 'a home folder', files: [page('a.md', split('see /ho', 'me/ann/notes'))], finds: 'a.md:1' },
  { what: 'a work folder', files: [page('a.ts', split("'/wo", "rk/main'"))], finds: 'a.ts:1' },
  { what: 'a package host', files: [page('a.json', split('regis', 'try.example.org'))], finds: 'a.json:1' },
  {
    what: 'a lock file with hosts',
    files: [page('package-lock.json', split('"resolved": "ht', 'tps://x"'))],
    finds: 'package-lock.json:1',
  },
])

describeChecker('[H14] the CI runs the test command of the README', checkTestCommand, [
  {
    what: 'a README without it',
    files: [page('README.md', ''), page('.ci/run', 'npm test')],
    finds: 'README.md',
  },
  {
    what: 'a CI that runs another',
    files: [readme, page('.ci/run', 'npm test')],
    finds: '.ci/run does not run',
  },
])
