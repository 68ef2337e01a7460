import { expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { chaosLines } from './chaos-report.ts'
import { runStoreChaos } from './chaos-store.ts'
import { sqliteFaults } from './fault/fault-plan.ts'

it('[X14] nothing is lost and nothing applied twice on SQLite, whatever is killed, stopped or cut', async () => {
  const seed = 20_261_115
  const folder = await makeTempDir('chaos')
  const outcome = await runStoreChaos({ store: 'sqlite', seed, rounds: 1, minutes: null, folder })
  console.log(chaosLines(seed, outcome).join('\n'))
  expect(outcome.findings).toEqual([])
  expect(Object.keys(outcome.faults).toSorted()).toEqual(sqliteFaults.toSorted())
  expect(outcome.jobs).toBeGreaterThan(50)
  expect(outcome.holdings).toBeGreaterThan(5)
  expect(outcome.logLines).toBeGreaterThan(50)
}, 600_000)
