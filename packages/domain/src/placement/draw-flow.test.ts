import { describe, expect, it } from 'vitest'
import { drawFlow } from './draw-flow.ts'
import { place } from './place.ts'
import { sampleClass, sampleRoom, sampleWorker } from './sample-snapshot.ts'
import type { PlacementSnapshot } from './snapshot.ts'

function drawn(snapshot: PlacementSnapshot): string[] {
  return drawFlow(snapshot, place(snapshot)).map(
    ({ from, to, flow, capacity, cut }) =>
      `${from.kind} ${from.key} → ${to.kind} ${to.key} ${flow}/${capacity}${cut ? ' cut' : ''}`,
  )
}

describe('drawFlow', () => {
  it('[P20] the drawing has every edge with its flow, its capacity and whether the cut goes through it', () => {
    const snapshot = {
      rooms: [sampleRoom('a'), sampleRoom('b')],
      classes: [sampleClass('a/x', 5), sampleClass('b/y', 2)],
      workers: [sampleWorker('w1', 3, ['x']), sampleWorker('w2', 4, ['y'])],
    }
    expect(drawn(snapshot)).toEqual([
      'source  → room a 3/5',
      'source  → room b 2/2',
      'room a → class a/x 3/5',
      'room b → class b/y 2/2 cut',
      'class a/x → pool w1 3/3',
      'class b/y → pool w2 2/4',
      'pool w1 → sink  3/3 cut',
      'pool w2 → sink  2/4',
    ])
  })

  it('[P20] the drawing shows a limit of an extension as a node of its own', () => {
    const snapshot = {
      rooms: [],
      classes: [sampleClass('a/x', 5), sampleClass('b/x', 5)],
      workers: [sampleWorker('w1', 8, ['x'])],
      extensions: [{ extension: 'x', running: 0, maxRunning: 3 }],
    }
    expect(drawn(snapshot).filter((line) => line.includes('extension'))).toEqual([
      'class a/x → extension x 2/5 cut',
      'class b/x → extension x 1/5 cut',
      'extension x → pool w1 3/8',
    ])
  })
})
