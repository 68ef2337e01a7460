import { describe, expect, it } from 'vitest'
import type { WorkerId } from '../ids.ts'
import { place } from './place.ts'
import type { WaitReason } from './plan.ts'
import { sampleClass, sampleRoom, sampleWorker } from './sample-snapshot.ts'
import type { PlacementSnapshot } from './snapshot.ts'

const crowd = [sampleClass('b/x', 9), sampleClass('c/x', 9)]
const big = { slots: 4, cpu: 8, memoryMb: 16_000, gpu: 1 }

interface Row {
  readonly when: string
  readonly snapshot: Partial<PlacementSnapshot>
  readonly why: WaitReason
}

function reasonFor(snapshot: Partial<PlacementSnapshot>): WaitReason | undefined {
  return place({ rooms: [], classes: [], workers: [], ...snapshot }).waiting.find(
    (entry) => entry.class === 'a/x',
  )?.why
}

const fixed: Row[] = [
  {
    when: 'nobody has the ability',
    snapshot: { classes: [sampleClass('a/x', 2)], workers: [sampleWorker('w', 1, ['y'])] },
    why: { reason: 'no_worker', ability: 'x' },
  },
  {
    when: 'its addressee is not there',
    snapshot: {
      classes: [sampleClass('a/x', 2, { addressee: 'm1' as WorkerId })],
      workers: [sampleWorker('w', 1, ['x'])],
    },
    why: { reason: 'no_worker', ability: 'x', addressee: 'm1' as WorkerId },
  },
  {
    when: 'nobody carries its labels',
    snapshot: {
      classes: [sampleClass('a/x', 2, { needs: { labels: ['cuda', 'fast'] } })],
      workers: [sampleWorker('w1', 1, ['x']), sampleWorker('w2', 1, ['x'], { labels: ['fast'] })],
    },
    why: { reason: 'label_mismatch', missing: ['cuda'] },
  },
  {
    when: 'nobody is large enough',
    snapshot: {
      classes: [sampleClass('a/x', 2, { needs: { memoryMb: 32_000, gpu: 1 } })],
      workers: [sampleWorker('w', 4, ['x'], { total: big, free: { ...big, slots: 0 } })],
    },
    why: { reason: 'not_enough', resource: 'memoryMb', needed: 32_000, largest: 16_000 },
  },
  {
    when: 'all its workers drain or are unwell',
    snapshot: {
      classes: [sampleClass('a/x', 2)],
      workers: [
        sampleWorker('w1', 1, ['x'], { draining: true }),
        sampleWorker('w2', 1, ['x'], { health: { ok: false, reason: 'beat late' } }),
      ],
    },
    why: { reason: 'workers_unavailable', draining: 1, unhealthy: 1, because: ['beat late'] },
  },
  {
    when: 'somebody paused it',
    snapshot: {
      classes: [sampleClass('a/x', 2, { pausedBy: 'ada' })],
      workers: [sampleWorker('w', 9, ['x'])],
    },
    why: { reason: 'paused', by: 'ada' },
  },
  {
    when: 'its breaker is open',
    snapshot: {
      classes: [sampleClass('a/x', 2)],
      workers: [sampleWorker('w', 9, ['x'])],
      extensions: [{ extension: 'x', running: 0, breaker: { state: 'open', until: 61_000 } }],
    },
    why: { reason: 'breaker_open', until: 61_000 },
  },
  {
    when: 'its breaker lets the probe of another room through',
    snapshot: {
      rooms: [sampleRoom('a', { running: 1 })],
      classes: [sampleClass('a/x', 2), sampleClass('b/x', 2)],
      workers: [sampleWorker('w', 9, ['x'])],
      extensions: [{ extension: 'x', running: 0, breaker: { state: 'half_open' } }],
    },
    why: { reason: 'breaker_probing' },
  },
  {
    when: 'its breaker waits for the probe',
    snapshot: {
      classes: [sampleClass('a/x', 2)],
      workers: [sampleWorker('w', 9, ['x'])],
      extensions: [{ extension: 'x', running: 1, breaker: { state: 'probing' } }],
    },
    why: { reason: 'breaker_probing' },
  },
]

const flowing: Row[] = [
  {
    when: 'all slots are taken by this plan',
    snapshot: { classes: [sampleClass('a/x', 9), ...crowd], workers: [sampleWorker('w', 3, ['x'])] },
    why: { reason: 'all_slots_busy', scarce: 'slots' },
  },
  {
    when: 'all slots were taken before',
    snapshot: {
      classes: [sampleClass('a/x', 9)],
      workers: [sampleWorker('w', 4, ['x'], { total: big, free: { ...big, slots: 0 } })],
    },
    why: { reason: 'all_slots_busy', scarce: 'slots' },
  },
  {
    when: 'slots are free but the memory is taken',
    snapshot: {
      classes: [sampleClass('a/x', 9, { needs: { memoryMb: 6_000 } })],
      workers: [sampleWorker('w', 4, ['x'], { total: big })],
    },
    why: { reason: 'all_slots_busy', scarce: 'memoryMb' },
  },
  {
    when: 'its room is at its limit',
    snapshot: {
      rooms: [sampleRoom('a', { limit: 5, running: 4 })],
      classes: [sampleClass('a/x', 9)],
      workers: [sampleWorker('w', 8, ['x'])],
    },
    why: { reason: 'room_limit', limit: 5, running: 4 },
  },
  {
    when: 'its extension is at its limit',
    snapshot: {
      classes: [sampleClass('a/x', 9)],
      workers: [sampleWorker('w', 8, ['x'])],
      extensions: [{ extension: 'x', running: 2, maxRunning: 3 }],
    },
    why: { reason: 'extension_limit', limit: 3, running: 2 },
  },
  {
    when: 'the whole is at its limit',
    snapshot: {
      classes: [sampleClass('a/x', 9), ...crowd],
      workers: [sampleWorker('w', 40, ['x'])],
      maxRunning: 10,
      running: 8,
    },
    why: { reason: 'global_limit', limit: 10, running: 8 },
  },
  {
    when: 'slow start holds it',
    snapshot: {
      classes: [sampleClass('a/x', 9)],
      workers: [sampleWorker('w', 8, ['x'])],
      maxStartsPerClass: 2,
    },
    why: { reason: 'start_limit', limit: 2 },
  },
]

describe('waitReason', () => {
  it.each(fixed)(
    '[P18] a class waits for what no flow could give, and says so: $when',
    ({ snapshot, why }) => {
      expect(reasonFor(snapshot)).toEqual(why)
    },
  )

  it.each(flowing)(
    '[P19] a class waits where the minimum cut crosses its way: $when',
    ({ snapshot, why }) => {
      expect(reasonFor(snapshot)).toEqual(why)
    },
  )

  it('[P19] a class whose slot another could leave waits for its room, not for the slot', () => {
    const plan = place({
      rooms: [sampleRoom('a', { limit: 1 })],
      classes: [sampleClass('a/y', 1, { band: 9 }), sampleClass('a/x', 1)],
      workers: [sampleWorker('w1', 1, ['x', 'y']), sampleWorker('w2', 1, ['y'])],
    })
    expect(plan.assignments).toEqual([{ class: 'a/y', worker: 'w1', count: 1 }])
    expect(plan.waiting).toEqual([
      { class: 'a/x', count: 1, why: { reason: 'room_limit', limit: 1, running: 0 } },
    ])
  })

  it('[P18] a class with nothing left over has no reason', () => {
    expect(
      reasonFor({ classes: [sampleClass('a/x', 1)], workers: [sampleWorker('w', 1, ['x'])] }),
    ).toBeUndefined()
  })
})
