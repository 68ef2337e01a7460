import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('[H19] the example of one job runs and prints its life', () => {
  const file = fileURLToPath(new URL('./one-job.ts', import.meta.url))
  const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' })
  expect(printed.trim().split('\n')).toEqual([
    'completed in lab: Relax',
    'result: {"energy":-1}',
    'event 1: pending',
    'event 2: assigned',
    'event 3: completed',
  ])
})
