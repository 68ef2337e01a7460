import { describe, expect, it } from 'vitest'
import { Lorenz, type Point } from './lorenz.ts'

const chaos = { sigma: 10, rho: 28, beta: 8 / 3, stepSize: 0.005 }

function after(steps: number, lorenz: Lorenz): Lorenz {
  for (let step = 0; step < steps; step += 1) lorenz.step()
  return lorenz
}

describe('the Lorenz system', () => {
  it('[O17] comes to rest at the origin when ρ is less than 1', () => {
    const { at } = after(20_000, new Lorenz({ ...chaos, rho: 0.5 }, [1, 1, 1]))
    for (const each of at) expect(each).toBeCloseTo(0, 8)
  })

  it('[O17] stays where it is at its fixed points', () => {
    const root = Math.sqrt(chaos.beta * (chaos.rho - 1))
    const { at } = after(100, new Lorenz(chaos, [root, root, chaos.rho - 1]))
    expect(at[0]).toBeCloseTo(root, 8)
    expect(at[2]).toBeCloseTo(27, 8)
  })

  it('[O17] parts neighbouring paths at the rate that is known of it, 0.9056', () => {
    const { lyapunovExponent } = after(400_000, new Lorenz(chaos, [1, 1, 1]))
    expect(lyapunovExponent).toBeCloseTo(0.9056, 1)
  })

  it('[O17] comes closer to the true path by the fourth power of the step', () => {
    const end = (stepSize: number): Point =>
      after(0.5 / stepSize, new Lorenz({ ...chaos, stepSize }, [1, 1, 1])).at
    const truth = end(1 / 8_192)
    const error = (stepSize: number): number =>
      Math.hypot(...end(stepSize).map((each, axis) => each - (truth[axis] ?? 0)))
    const [coarse, fine] = [error(1 / 256), error(1 / 512)]
    expect(coarse / fine).toBeGreaterThan(12)
    expect(coarse / fine).toBeLessThan(20)
  })
})
