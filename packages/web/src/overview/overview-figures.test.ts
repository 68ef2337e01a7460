import type { Overview } from '@millrace/protocol'
import { describe, expect, it } from 'vitest'
import { figuresOf, oddFigures } from './overview-figures.ts'

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
  figuresOf({ ...calm, ...change }, 0).flatMap(({ trouble }) => trouble ?? [])

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
    ['ten minutes and more', { oldestWaitMs: 600_000 }],
    ['no worker is connected', { workers: 0, slots: 0, busySlots: 0 }],
  ])('[U67] say what is not as it should be: %s', (trouble, change) => {
    expect(troubles(change)).toEqual([trouble])
  })

  it('[U67] tell of workers where slots are not told', () => {
    const names = figuresOf({ ...calm, slots: null, busySlots: null }, 0).map(
      ({ name, value }) => `${name} ${value}`,
    )
    expect(names).toContain('Workers 2')
  })

  it('[U67] judge a wait by how long it is by now, and not when it was asked', () => {
    const told = figuresOf({ ...calm, at: 1_000, oldestWaitMs: 590_000 }, 11_000)
    expect(told.at(-1)).toMatchObject({ name: 'Oldest waiting', trouble: 'ten minutes and more' })
  })
})

describe('what needs somebody', () => {
  const odd = (change: Partial<Overview>): readonly string[] => {
    const overview = { ...calm, ...change }
    return oddFigures(overview, figuresOf(overview, 0)).map(({ name }) => name)
  }

  it('[U131] is a figure that is not as it should be, where nothing else explains it', () => {
    expect(odd({})).toEqual([])
    expect(odd({ busySlots: 8 })).toEqual(['Slots in use'])
    const stuck = { kind: 'waiting', sentence: '3 jobs wait.' } as const
    expect(odd({ busySlots: 8, troubles: [stuck] })).toEqual([])
  })
})
