import { generatedPages } from '../scripts/generated-pages.ts'
import { describeChecker } from './describe-checker.ts'
import { checkGenerated } from './generated.ts'

const [first = { path: '', text: '' }, ...others] = generatedPages()

describeChecker('[H10] a generated page is what its generator writes', checkGenerated(), [
  {
    what: 'a page edited by hand',
    files: [{ path: first.path, text: `${first.text}\nand by hand` }, ...others],
    finds: `${first.path} is not what its generator writes`,
  },
  {
    what: 'a page without a generator',
    files: [first, ...others, { path: 'docs/generated/stray.md', text: '' }],
    finds: 'docs/generated/stray.md is written by no generator',
  },
])
