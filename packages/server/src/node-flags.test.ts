import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { nodeFlags } from './node-flags.ts'
import { enoughBytes } from './store/collect-at-rest.ts'

/** Empties the space for young objects and says how much it holds. */
const look = `
  for (const _ of ['stay once', 'grow old']) gc({ type: 'minor' })
  const spaces = require('node:v8').getHeapSpaceStatistics()
  process.stdout.write(String(spaces.find((space) => space.space_name === 'new_space').space_available_size))
`

describe('how Node is started for a server', () => {
  it('[N114] from its start on the space for young objects holds more than is collected at rest', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, '-e', look], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(Number(stdout)).toBeGreaterThan(enoughBytes)
  })
})
