import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTempDir } from '../../process/temp-dir.ts'
import { plantBug } from './plant-bug.ts'
import { plantedBugs, plantedLockBugs } from './planted-bug.ts'
import { provoke } from './run-planted.ts'

describe.concurrent('a planted bug', () => {
  it.each(plantedBugs.map((bug) => [bug.name, bug] as const))(
    '[X15] is found: %s',
    async (_name, bug) => {
      const { findings } = await provoke(bug, await makeTempDir('planted'))
      expect(findings.map(({ rule }) => rule)).toContain(bug.foundBy)
    },
    600_000,
  )
})

// After the others, whose faults have to meet their jobs within seconds.
describe('a planted bug of locks', () => {
  it.each(plantedLockBugs.map((bug) => [bug.name, bug] as const))(
    '[X15] is found: %s',
    async (_name, bug) => {
      const { findings } = await provoke(bug, await makeTempDir('planted'))
      expect(findings.map(({ rule }) => rule)).toContain(bug.foundBy)
    },
    600_000,
  )
})

it('[X15] a bug that cannot be planted any more is a failure, not a pass', async () => {
  const folder = join(await makeTempDir('planted'), 'copy')
  const patch = { file: 'packages/domain/src/job/fence.ts', text: 'no such text', instead: '' }
  expect(() => plantBug(folder, patch)).toThrow('0 times')
})
