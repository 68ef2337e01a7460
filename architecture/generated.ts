// A generated page is what its generator writes today, and nothing else lies in its folder.

import { type GeneratedPage, generatedPages } from '../scripts/generated-pages.ts'
import type { Checker } from './describe-checker.ts'

export function checkGenerated(pages: readonly GeneratedPage[] = generatedPages()): Checker {
  return (files) => {
    const there = files.filter((file) => file.path.startsWith('docs/generated/'))
    if (there.length === 0) return ['no generated page was given']
    const stale = pages.filter((page) => there.find((file) => file.path === page.path)?.text !== page.text)
    const orphans = there.filter((file) => !pages.some((page) => page.path === file.path))
    return [
      ...stale.map(({ path }) => `${path} is not what its generator writes: npm run generate`),
      ...orphans.map(({ path }) => `${path} is written by no generator`),
    ]
  }
}
