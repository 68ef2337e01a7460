import { describe, expect, it } from 'vitest'
import { groupPools } from './pools.ts'
import { sampleWorker } from './sample-snapshot.ts'

function membersOf(workers: Parameters<typeof groupPools>[0], alone: readonly string[] = []): string[][] {
  const named = new Set(workers.map(({ id }) => id).filter((id) => alone.includes(id)))
  return groupPools(workers, named).pools.map(({ members }) => members.map((index) => workers[index]!.id))
}

describe('groupPools', () => {
  it('[P15] workers with the same abilities, labels and size form one pool, in whatever order they name them', () => {
    const workers = [
      sampleWorker('w1', 4, ['x', 'y'], { labels: ['a', 'b'] }),
      sampleWorker('w2', 4, ['y', 'x'], { labels: ['b', 'a'] }),
      sampleWorker('w3', 4, ['x', 'y', 'x'], { labels: ['a', 'b'] }),
    ]
    expect(membersOf(workers)).toEqual([['w1', 'w2', 'w3']])
  })

  it.each([
    { difference: 'an ability more', other: sampleWorker('w2', 4, ['x', 'y']) },
    { difference: 'another ability', other: sampleWorker('w2', 4, ['y']) },
    { difference: 'another size', other: sampleWorker('w2', 5, ['x']) },
    { difference: 'a label', other: sampleWorker('w2', 4, ['x'], { labels: ['a'] }) },
  ])('[P15] workers that differ by $difference are not of one pool', ({ other }) => {
    expect(membersOf([sampleWorker('w1', 4, ['x']), other])).toEqual([['w1'], ['w2']])
  })

  it('[P15] workers that somebody addresses stand alone', () => {
    const workers = ['w1', 'w2', 'w3'].map((id) => sampleWorker(id, 4, ['x']))
    expect(membersOf(workers, ['w1'])).toEqual([['w1'], ['w2', 'w3']])
  })

  it('[P15] workers are found by each ability of their pool', () => {
    const workers = [sampleWorker('w1', 4, ['x', 'y']), sampleWorker('w2', 4, ['y'])]
    const { poolsWith } = groupPools(workers)
    expect(['x', 'y', 'z'].map((ability) => poolsWith(ability))).toEqual([[0], [0, 1], []])
  })
})
