import type { Overview } from '@millrace/protocol'
import { describe, expect, it } from 'vitest'
import { figuresOf } from './overview-figures.ts'

const calm: Overview = {
  at: 0,
  pending: 3,
  running: 2,
  oldestWaitMs: 100,
  workers: 2,
  slots: 8,
  busySlots: 2,
  recent: {
    completed: 100,
    failed: 2,
    cancelled: 0,
    waitMsP50: 5,
    waitMsP95: 900,
    runMsP50: 10,
    runMsP95: 20,
  },
  troubles: [],
}

const troubles = (change: Partial<Overview>): readonly string[] =>
  figuresOf({ ...calm, ...change }).flatMap(({ trouble }) => trouble ?? [])

describe('the figures of now', () => {
  it('[U67] have nothing to say against them while all is well', () => {
    expect(troubles({})).toEqual([])
    expect(troubles({ recent: { ...calm.recent, completed: 4, failed: 2 } })).toEqual([])
    expect(troubles({ busySlots: 8, pending: 0 })).toEqual([])
  })

  it.each<readonly [string, Partial<Overview>]>([
    ['50 % failed', { recent: { ...calm.recent, completed: 9, failed: 9 } }],
    ['a minute and more', { recent: { ...calm.recent, waitMsP95: 60_000 } }],
    ['all 8 busy, 3 wait', { busySlots: 8 }],
    ['no worker is connected', { workers: 0, slots: 0, busySlots: 0 }],
  ])('[U67] say what is not as it should be: %s', (trouble, change) => {
    expect(troubles(change)).toEqual([trouble])
  })

  it('[U67] tell of workers where slots are not told', () => {
    const names = figuresOf({ ...calm, slots: null, busySlots: null }).map(
      ({ name, value }) => `${name} ${value}`,
    )
    expect(names).toContain('Workers 2')
  })
})
