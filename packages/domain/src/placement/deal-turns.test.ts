import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dealTurns, type Taker } from './deal-turns.ts'

function oneByOne(takers: readonly Taker[], total: number): number[] {
  const dealt = takers.map(() => 0)
  for (let left = total; left > 0; left--) {
    const open = [...takers.keys()].filter((index) => dealt[index]! < takers[index]!.most)
    const level = (index: number): number => (takers[index]!.standing + dealt[index]!) / takers[index]!.weight
    const next = open.sort((a, b) => level(a) - level(b) || takers[a]!.rank - takers[b]!.rank)[0]
    if (next !== undefined) dealt[next]! += 1
  }
  return dealt
}

const takerLists = fc
  .array(
    fc.record({
      standing: fc.nat({ max: 12 }),
      weight: fc.constantFrom(1, 2, 3, 0.5),
      most: fc.nat({ max: 15 }),
    }),
    { maxLength: 7 },
  )
  .map((list): Taker[] => list.map((taker, index) => ({ ...taker, rank: (index * 5) % 7 })))

describe('dealTurns', () => {
  it('[P3] the next turn goes to whoever stands lowest by weight, as if dealt one by one', () => {
    fc.assert(
      fc.property(takerLists, fc.nat({ max: 60 }), (takers, total) => {
        expect(dealTurns(takers, total)).toEqual(oneByOne(takers, total))
      }),
      { numRuns: 2_000, seed: 20261115 },
    )
  })

  it.each([
    { weights: [1, 1, 1], total: 7, dealt: [3, 2, 2] },
    { weights: [1, 2, 3], total: 6, dealt: [1, 2, 3] },
    { weights: [1, 1], total: 1_000_000, dealt: [500_000, 500_000] },
  ])('[P3] the turns follow the weights: $total by $weights', ({ weights, total, dealt }) => {
    const takers = weights.map((weight, rank) => ({ standing: 0, weight, most: 1_000_000, rank }))
    expect(dealTurns(takers, total)).toEqual(dealt)
  })
})
