// Turns what vitest saw into the closing line of a test run. A file or a suite that broke outside its tests counts as
// a failure of its own, so that "0 failed" is never said of a run in which something could not even start.

import type { TestModule } from 'vitest/node'

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export function countTests(modules: readonly TestModule[], unhandledErrors: number): TestCounts {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 }
  for (const module of modules) {
    if (module.errors().length > 0) counts.failed += 1
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) counts.failed += 1
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed += 1
      else if (state === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
  }
  return counts
}

export function closingLine({ passed, failed, skipped }: TestCounts): string {
  const line = `${passed} passed, ${failed} failed`
  return skipped === 0 ? line : `${line}, ${skipped} skipped`
}
