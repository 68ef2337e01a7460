import type { WorkerView } from '@millrace/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byNeed, isLate, nextBeatInMs, slotBlocks, type WorkerWord, wordOf } from './worker-state.ts'

const free = (slots: number) => ({ slots, cpu: 0, memoryMb: 0, gpu: 0 })
const well = { presence: 'connected', draining: false, healthy: true, free: free(1) }

describe('the word for a worker', () => {
  const table: readonly (readonly [WorkerWord, Partial<WorkerView>])[] = [
    ['ready', {}],
    ['busy', { free: free(0) }],
    ['unwell', { healthy: false }],
    ['draining', { healthy: false, draining: true }],
    ['away', { presence: 'away', healthy: false, draining: true }],
    ['lost', { presence: 'lost', healthy: false }],
  ]
  it.each(table)('[U60] is %s for what explains it best', (word, change) => {
    expect(wordOf({ ...well, ...change })).toBe(word)
  })

  it('[U60] puts those first that may need somebody, and those that are gone last', () => {
    const workers = table.map(([id, change]) => ({ ...well, ...change, id }) as WorkerView)
    expect(byNeed(workers).map(({ id }) => id)).toEqual([
      'unwell',
      'away',
      'draining',
      'busy',
      'ready',
      'lost',
    ])
  })
})

describe('the slots of a worker', () => {
  it('[U61] are one block each while they can be told apart', () => {
    expect(slotBlocks(4, 1)).toEqual({ blocks: 4, full: 3 })
    expect(slotBlocks(0, 0)).toEqual({ blocks: 0, full: 0 })
    expect(slotBlocks(2, -1)).toEqual({ blocks: 2, full: 2 })
  })

  it('[U61] are full blocks only when all are taken, and empty ones only when none is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(5_000), (total, some) => {
        const used = Math.min(total, some)
        const { blocks, full } = slotBlocks(total, total - used)
        expect(full === 0).toBe(used === 0)
        expect(full === blocks).toBe(used === total)
      }),
      { seed: 60 },
    )
  })
})

describe('beats', () => {
  const heard = (heardAt: number, presence = 'connected') => ({ heardAt, presence })

  it('[U62] are asked for when the next one is due, and never where nobody beats', () => {
    expect(nextBeatInMs([heard(1_000), heard(3_000)], 3_000)).toBe(3_600)
    expect(nextBeatInMs([heard(0, 'lost'), heard(0, 'away')], 3_000)).toBe(false)
    expect(nextBeatInMs([], 3_000)).toBe(false)
  })

  it('[U62] of a worker that is late do not make a page ask all the time', () => {
    expect(nextBeatInMs([heard(0)], 60_000)).toBe(1_000)
    expect(isLate(0, 10_000)).toBe(false)
    expect(isLate(0, 10_001)).toBe(true)
  })
})
