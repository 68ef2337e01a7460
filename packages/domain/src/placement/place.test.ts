import { describe, expect, it } from 'vitest'
import { place } from './place.ts'
import { sampleClass, sampleRoom, sampleWorker, startsOf } from './sample-snapshot.ts'
import type { PlacementSnapshot } from './snapshot.ts'

describe('placing directly', () => {
  it('[P1] everything that fits starts at once: three biographies and a sync on nine free slots', () => {
    const plan = place({
      rooms: [sampleRoom('lab')],
      classes: [sampleClass('lab/bio', 3), sampleClass('lab/sync', 1)],
      workers: [sampleWorker('agent-1', 4, ['bio']), sampleWorker('agent-2', 5, ['bio', 'sync'])],
    })
    expect(plan.direct).toBe(true)
    expect(startsOf(plan)).toEqual({ 'lab/bio': 3, 'lab/sync': 1 })
    expect(plan.waiting).toEqual([])
  })

  it('[P1] everything that fits starts at once, though another class has no worker at all', () => {
    const plan = place({
      rooms: [],
      classes: [sampleClass('lab/bio', 3), sampleClass('lab/lost', 2)],
      workers: [sampleWorker('w', 3, ['bio'])],
    })
    expect(plan.direct).toBe(true)
    expect(startsOf(plan)).toEqual({ 'lab/bio': 3 })
  })

  it('[P1] everything that fits only with one class making way for another starts by the flow', () => {
    const plan = place({
      rooms: [],
      classes: [sampleClass('lab/a', 2), sampleClass('lab/b', 2), sampleClass('lab/c', 2)],
      workers: [
        sampleWorker('w1', 2, ['a', 'b']),
        sampleWorker('w2', 2, ['b', 'c']),
        sampleWorker('w3', 2, ['c', 'a']),
      ],
    })
    expect(startsOf(plan)).toEqual({ 'lab/a': 2, 'lab/b': 2, 'lab/c': 2 })
  })
})

describe('rooms', () => {
  it('[P4] a quiet room beside a backlog of 100,000 starts all its jobs when they fit its share', () => {
    const plan = place({
      rooms: [sampleRoom('busy'), sampleRoom('quiet')],
      classes: [sampleClass('busy/x', 100_000, { band: 15 }), sampleClass('quiet/x', 200)],
      workers: [sampleWorker('w1', 300, ['x']), sampleWorker('w2', 100, ['x'])],
    })
    expect(startsOf(plan)).toEqual({ 'busy/x': 200, 'quiet/x': 200 })
  })

  it('[P3] a room that runs much already waits for those that run less', () => {
    const plan = place({
      rooms: [sampleRoom('a', { running: 5 }), sampleRoom('b'), sampleRoom('c', { running: 2 })],
      classes: [sampleClass('a/x', 9), sampleClass('b/x', 9), sampleClass('c/x', 9)],
      workers: [sampleWorker('w', 6, ['x'])],
    })
    expect(startsOf(plan)).toEqual({ 'b/x': 4, 'c/x': 2 })
  })

  it.each([
    { lastStartAt: { a: 20, b: 10 }, first: 'b' },
    { lastStartAt: { a: 10, b: 20 }, first: 'a' },
    { lastStartAt: { a: 10, b: 10 }, first: 'a' },
  ])(
    '[P3] a single slot goes to $first when the rooms stand equal and last started at $lastStartAt',
    (row) => {
      const plan = place({
        rooms: [
          sampleRoom('a', { lastStartAt: row.lastStartAt.a }),
          sampleRoom('b', { lastStartAt: row.lastStartAt.b }),
        ],
        classes: [sampleClass('a/x', 5), sampleClass('b/x', 5)],
        workers: [sampleWorker('w', 1, ['x'])],
      })
      expect(startsOf(plan)).toEqual({ [`${row.first}/x`]: 1 })
    },
  )
})

describe('classes of one room', () => {
  it('[P5] the highest band goes first', () => {
    const plan = place({
      rooms: [],
      classes: [
        sampleClass('a/low', 5, { band: 1 }),
        sampleClass('a/mid', 5, { band: 7 }),
        sampleClass('a/top', 2, { band: 15 }),
      ],
      workers: [sampleWorker('w', 4, ['low', 'mid', 'top'])],
    })
    expect(startsOf(plan)).toEqual({ 'a/top': 2, 'a/mid': 2 })
  })

  it('[P5] a room gives up its higher band where another room has nothing else to run', () => {
    const plan = place({
      rooms: [],
      classes: [sampleClass('a/gpu', 1, { band: 9 }), sampleClass('a/cpu', 1), sampleClass('b/gpu', 1)],
      workers: [sampleWorker('w1', 1, ['gpu']), sampleWorker('w2', 1, ['cpu'])],
    })
    expect(startsOf(plan)).toEqual({ 'a/cpu': 1, 'b/gpu': 1 })
  })

  it('[P6] classes of one band take turns', () => {
    const plan = place({
      rooms: [],
      classes: [sampleClass('a/x', 50), sampleClass('a/y', 50), sampleClass('a/z', 1)],
      workers: [sampleWorker('w', 8, ['x', 'y', 'z'])],
    })
    expect(startsOf(plan)).toEqual({ 'a/x': 4, 'a/y': 3, 'a/z': 1 })
  })

  it('[P6] classes of one band that run less or waited longer go first', () => {
    const workers = [sampleWorker('w', 1, ['x', 'y'])]
    const running = [sampleClass('a/x', 5, { running: 1 }), sampleClass('a/y', 5)]
    expect(startsOf(place({ rooms: [], classes: running, workers }))).toEqual({ 'a/y': 1 })
    const served = [sampleClass('a/x', 5, { lastStartAt: 9 }), sampleClass('a/y', 5, { lastStartAt: 8 })]
    expect(startsOf(place({ rooms: [], classes: served, workers }))).toEqual({ 'a/y': 1 })
  })
})

describe('limits and gates', () => {
  const workers = [sampleWorker('w', 20, ['x', 'y'])]

  it('[P7] a room never runs more than its limit', () => {
    const rooms = [sampleRoom('a', { limit: 5, running: 3 }), sampleRoom('b', { limit: 1, running: 4 })]
    const classes = [sampleClass('a/x', 9), sampleClass('b/x', 9)]
    expect(startsOf(place({ rooms, classes, workers }))).toEqual({ 'a/x': 2 })
  })

  it('[P7] an extension never runs more than its limit, its rooms sharing what is left', () => {
    const classes = [sampleClass('a/x', 9), sampleClass('b/x', 9), sampleClass('b/y', 4)]
    const extensions = [{ extension: 'x', running: 4, maxRunning: 8 }]
    expect(startsOf(place({ rooms: [], classes, workers, extensions }))).toEqual({ 'a/x': 4, 'b/y': 4 })
  })

  it('[P7] an extension never runs more than its limit, two schema hashes being alive', () => {
    const classes = [
      sampleClass('a/x', 9, { key: 'a/x@1', ability: 'x' }),
      sampleClass('a/x', 9, { key: 'a/x@2', ability: 'y' }),
    ]
    const extensions = [{ extension: 'x', running: 0, maxRunning: 4 }]
    const plan = place({ rooms: [], classes, workers, extensions })
    expect(startsOf(plan)).toEqual({ 'a/x@1': 2, 'a/x@2': 2 })
  })

  it('[P7] no more run over all rooms than the limit over all allows', () => {
    const classes = [sampleClass('a/x', 9), sampleClass('b/x', 9)]
    const plan = place({ rooms: [], classes, workers, maxRunning: 10, running: 7 })
    expect(startsOf(plan)).toEqual({ 'a/x': 2, 'b/x': 1 })
  })

  it('[P11] a paused class starts nothing', () => {
    const classes = [sampleClass('a/x', 9, { pausedBy: 'ada' }), sampleClass('a/y', 1)]
    expect(startsOf(place({ rooms: [], classes, workers }))).toEqual({ 'a/y': 1 })
  })

  it.each([
    { breaker: { state: 'open', until: 7 } as const, starts: 0 },
    { breaker: { state: 'probing' } as const, starts: 0 },
    { breaker: { state: 'half_open' } as const, starts: 1 },
  ])('[P11] a breaker that is $breaker.state starts $starts of the extension, over all rooms', (row) => {
    const classes = [sampleClass('a/x', 9), sampleClass('b/x', 9)]
    const extensions = [{ extension: 'x', running: 0, breaker: row.breaker }]
    const plan = place({ rooms: [], classes, workers, extensions })
    expect(plan.assignments.reduce((sum, { count }) => sum + count, 0)).toBe(row.starts)
  })

  it('[P12] at most so many of one class start in one plan as slow start allows', () => {
    const classes = [sampleClass('a/x', 9), sampleClass('a/y', 2)]
    const plan = place({ rooms: [], classes, workers, maxStartsPerClass: 3 })
    expect(startsOf(plan)).toEqual({ 'a/x': 3, 'a/y': 2 })
  })

  it.each([{ slots: 6 }, { slots: 4 }])(
    '[P13] slots kept for short classes are left to them: $slots free',
    (row) => {
      const kept = [sampleWorker('w', row.slots, ['long', 'short'], { keptForShort: 2 })]
      const classes = [sampleClass('a/long', 9), sampleClass('b/short', 1, { short: true })]
      const plan = place({ rooms: [], classes, workers: kept })
      expect(startsOf(plan)).toEqual({ 'a/long': row.slots - 2, 'b/short': 1 })
    },
  )

  it('[P13] slots that are not kept are open to short classes too', () => {
    const kept = [sampleWorker('w', 6, ['long', 'short'], { keptForShort: 2 })]
    const classes = [sampleClass('a/long', 1), sampleClass('b/short', 9, { short: true })]
    expect(startsOf(place({ rooms: [], classes, workers: kept }))).toEqual({ 'a/long': 1, 'b/short': 5 })
  })
})

describe('workers', () => {
  it('[P9] a job goes only to a worker with its ability and all its labels', () => {
    const labelled = { needs: { labels: ['cuda', 'fast'] } }
    const plan = place({
      rooms: [],
      classes: [sampleClass('a/x', 9, labelled), sampleClass('b/y', 1)],
      workers: [
        sampleWorker('w1', 2, ['x'], { labels: ['cuda'] }),
        sampleWorker('w2', 2, ['x'], { labels: ['fast', 'cuda', 'old'] }),
        sampleWorker('w3', 2, ['y'], { labels: ['cuda', 'fast'] }),
      ],
    })
    expect(plan.assignments).toEqual([
      { class: 'a/x', worker: 'w2', count: 2 },
      { class: 'b/y', worker: 'w3', count: 1 },
    ])
  })

  it('[P9] a job with an addressee goes to nobody else', () => {
    const workers = [sampleWorker('w1', 3, ['x']), sampleWorker('w2', 3, ['x']), sampleWorker('w3', 3, ['x'])]
    const addressed = sampleClass('a/x', 5, { key: 'a/x/w2', addressee: workers[1]!.id })
    const plan = place({ rooms: [], classes: [addressed], workers })
    expect(plan.assignments).toEqual([{ class: 'a/x/w2', worker: 'w2', count: 3 }])
  })

  it('[P10] a worker that is unwell or draining gets nothing', () => {
    const plan = place({
      rooms: [],
      classes: [sampleClass('a/x', 9)],
      workers: [
        sampleWorker('w1', 3, ['x'], { health: { ok: false, reason: 'memory 95 % used' } }),
        sampleWorker('w2', 3, ['x'], { draining: true }),
        sampleWorker('w3', 3, ['x']),
      ],
    })
    expect(plan.assignments).toEqual([{ class: 'a/x', worker: 'w3', count: 3 }])
  })

  it('[P16] the fullest worker that still holds the job takes it, and GPUs are left to those that need them', () => {
    const total = { slots: 4, cpu: 8, memoryMb: 8_000, gpu: 0 }
    const plan = place({
      rooms: [],
      classes: [sampleClass('a/x', 2, { needs: { memoryMb: 1_000 } })],
      workers: [
        sampleWorker('w1', 4, ['x'], { total, free: { ...total, slots: 3 } }),
        sampleWorker('w2', 4, ['x'], { total, free: { ...total, slots: 2, memoryMb: 2_000 } }),
        sampleWorker('w3', 4, ['x'], { total: { ...total, gpu: 1 }, free: { ...total, slots: 2, gpu: 1 } }),
      ],
    })
    expect(plan.assignments).toEqual([{ class: 'a/x', worker: 'w2', count: 2 }])
  })
})

describe('resources', () => {
  const total = { slots: 4, cpu: 4, memoryMb: 8_000, gpu: 0 }

  /** Each class alone fits four times, both together do not: the flow has to be told by the packing. */
  const bulky: PlacementSnapshot = {
    rooms: [],
    classes: [
      sampleClass('a/x', 4, { needs: { memoryMb: 2_000 } }),
      sampleClass('b/y', 4, { needs: { cpu: 1, memoryMb: 1_000 } }),
      sampleClass('b/z', 4),
    ],
    workers: [
      sampleWorker('w1', 4, ['x', 'y'], { total: { ...total, memoryMb: 4_000 } }),
      sampleWorker('w2', 4, ['y', 'z'], { total: { ...total, memoryMb: 1_000 } }),
    ],
  }

  it('[P17] what does not fit together goes back, is counted, and finds another way', () => {
    const plan = place(bulky)
    expect(plan.vectorRejects).toBeGreaterThan(0)
    expect(startsOf(plan)).toEqual({ 'a/x': 2, 'b/y': 1, 'b/z': 3 })
  })

  it('[P17] what does not fit looks for another way, others changing places for it', () => {
    const memory = { ...total, memoryMb: 1_000 }
    const plan = place({
      rooms: [],
      classes: [
        sampleClass('a/x', 1, { needs: { memoryMb: 600 } }),
        sampleClass('a/y', 1, { needs: { memoryMb: 1_000 } }),
        sampleClass('a/z', 1),
        sampleClass('a/more', 9),
      ],
      workers: [
        sampleWorker('w1', 2, ['x', 'y'], { total: { ...memory, slots: 2 } }),
        sampleWorker('w2', 1, ['x', 'z'], { total: { ...memory, slots: 1 } }),
        sampleWorker('w3', 1, ['z']),
        sampleWorker('w4', 1, ['more']),
      ],
    })
    expect(plan.vectorRejects).toBe(1)
    expect(startsOf(plan)).toEqual({ 'a/x': 1, 'a/y': 1, 'a/z': 1, 'a/more': 1 })
  })

  it('[P8] several slots a job are taken as such', () => {
    const classes = [sampleClass('a/x', 9, { needs: { slots: 3 } }), sampleClass('b/y', 9)]
    const plan = place({ rooms: [], classes, workers: [sampleWorker('w', 7, ['x', 'y'])] })
    const { 'a/x': wide = 0, 'b/y': narrow = 0 } = startsOf(plan)
    expect(3 * wide + narrow).toBe(7)
  })
})
