import { expect, it } from 'vitest'
import { runSoak } from './run-soak.ts'
import { soakLines } from './soak-report.ts'

it('[X42] a worker that keeps every job it ever had is found out in a short run', async () => {
  const outcome = await runSoak({
    store: 'sqlite',
    runMs: 20_000,
    leaks: true,
    lookEveryMs: 300,
    measureMs: 1_000,
    // A slow machine does few jobs in this time; what is kept of them has to be enough all the same.
    textLength: 20_000,
  })
  console.log(soakLines(outcome).join('\n'))
  expect(outcome.figures['worker heap']?.verdict).toBe('grows')
  expect(outcome.findings.join()).toContain('worker heap grows')
}, 180_000)
