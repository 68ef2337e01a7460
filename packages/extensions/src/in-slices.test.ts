import { describe, expect, it } from 'vitest'
import { inSlices } from './in-slices.ts'

describe('a long calculation', () => {
  it('[O18] does all of it once, tells how far it is, and lets others have their turn', async () => {
    const told: number[] = []
    let [done, turns] = [0, 0]
    const turn = (): void => {
      turns += 1
      if (done < 100_000) setImmediate(turn)
    }
    setImmediate(turn)
    await inSlices(
      { signal: new AbortController().signal, progress: (part) => told.push(part) },
      100_000,
      (n) => {
        done += n
        return undefined
      },
    )
    expect(done).toBe(100_000)
    expect(told.at(-1)).toBe(1)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(turns).toBeGreaterThan(1)
  })

  it('[O18] stops between two slices when its signal is aborted, with the reason', async () => {
    const controller = new AbortController()
    const slices: number[] = []
    const ends = inSlices({ signal: controller.signal, progress: () => undefined }, 1e12, (count) => {
      slices.push(count)
      if (slices.length === 3) controller.abort(new Error('enough'))
      return undefined
    })
    await expect(ends).rejects.toThrow('enough')
    expect(slices).toHaveLength(3)
  })
})
