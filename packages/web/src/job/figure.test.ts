import { describe, expect, it } from 'vitest'
import { ticksOf } from '../primitives/plot-scale.ts'
import { figureOf, withoutFigure } from './figure.ts'

const figure = {
  kind: 'line',
  title: 't',
  x: { label: 'x', values: [1, 2] },
  y: { label: 'y' },
  series: [{ label: 's', values: [1, null] }],
}

describe('a figure in a result', () => {
  it('[U44] is drawn where it is whole', () => {
    expect(figureOf({ figure, other: 1 })).toEqual(figure)
    expect(withoutFigure({ figure, other: 1 })).toEqual({ other: 1 })
  })

  it.each([
    [null],
    ['figure'],
    [{ figure: null }],
    [{ figure: { ...figure, kind: 'pie' } }],
    [{ figure: { ...figure, x: { label: 'x', values: ['1', '2'] } } }],
    [{ figure: { ...figure, series: [] } }],
    [{ figure: { ...figure, series: [{ label: 's', values: [1] }] } }],
    [{ figure: { ...figure, x: { values: new Array(30_000).fill(1) } } }],
  ])('[U44] %j is shown as data', (result) => {
    expect(figureOf(result)).toBeNull()
  })

  it('[U44] has round numbers beside its axes', () => {
    expect(ticksOf(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10])
    expect(ticksOf(-0.13, 0.22, 4)).toEqual([-0.1, 0, 0.1, 0.2])
    expect(ticksOf(3, 3, 5)).toEqual([3])
  })
})
