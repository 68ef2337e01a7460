import { describe, expect, it } from 'vitest'
import { sampleClass, sampleRoom, sampleWorker } from './sample-snapshot.ts'
import { whatIf } from './what-if.ts'

const busy = {
  rooms: [sampleRoom('a'), sampleRoom('b', { limit: 1 })],
  classes: [sampleClass('a/x', 5), sampleClass('a/y', 2), sampleClass('b/x', 4)],
  workers: [sampleWorker('w1', 2, ['x'])],
}

describe('whatIf', () => {
  it('[G3] one more worker starts what it could hold, and what still waits says why', () => {
    const { changes, waiting } = whatIf(busy, sampleWorker('extra', 6, ['x']))
    expect(changes).toEqual([{ class: 'a/x', before: 1, after: 5 }])
    expect(waiting).toMatchObject([
      { class: 'a/y', count: 2, why: { reason: 'no_worker' } },
      { class: 'b/x', count: 3, why: { reason: 'room_limit', limit: 1 } },
    ])
  })

  it('[G3] a worker that serves nothing that waits changes nothing', () => {
    expect(whatIf(busy, sampleWorker('extra', 9, ['z'])).changes).toEqual([])
  })

  it('[G3] a worker that serves what nobody did lets that begin and takes nothing from the others', () => {
    expect(whatIf(busy, sampleWorker('extra', 9, ['y'])).changes).toEqual([
      { class: 'a/y', before: 0, after: 2 },
    ])
  })

  it('[G3] the snapshot is left as it was', () => {
    const before = structuredClone(busy)
    whatIf(busy, sampleWorker('extra', 3, ['x']))
    expect(busy).toEqual(before)
  })
})
