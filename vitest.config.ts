// Three projects: `domain` and `architecture` are fast and are what `npm run check` runs; `stores` is everything that
// touches a disk or another process. Suites whose program is missing on this machine are left out by scripts/test.ts.

import { configDefaults, defineConfig } from 'vitest/config'
import { suitesToLeaveOut, withoutVariable } from './scripts/needs.ts'

const domain = ['packages/domain/**/*.test.ts']
const architecture = ['architecture/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts']
const leftOut = suitesToLeaveOut(process.env[withoutVariable])
const exclude = [...configDefaults.exclude, ...leftOut]

export default defineConfig({
  test: {
    // These end a hang; they measure nothing. A loaded machine with two cores must not fail a property or a real Redis.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Left alone it is one second. Shorter than a test may take, so that what was polled is told when it never came.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'domain', include: domain, exclude } },
      { extends: true, test: { name: 'architecture', include: architecture, exclude } },
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['packages/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...exclude, ...domain],
        },
      },
    ],
  },
})
