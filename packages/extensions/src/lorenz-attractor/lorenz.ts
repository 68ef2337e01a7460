// The Lorenz system, step by step with the method of Runge and Kutta of fourth order, and how fast two neighbouring paths
// part: the largest Lyapunov exponent, by the method of Benettin.

export interface LorenzParameters {
  readonly sigma: number
  readonly rho: number
  readonly beta: number
  readonly stepSize: number
}

export type Point = readonly [x: number, y: number, z: number]

/** Small enough that the neighbour's way is the derivative's, large enough to stand above rounding. */
const apart = 1e-8
/** How many steps go by before the neighbour is brought back to its distance. */
const renewalSteps = 10

export class Lorenz {
  readonly #of: LorenzParameters
  #at: Point
  #neighbour: Point
  #steps = 0
  #logGrowth = 0

  constructor(of: LorenzParameters, at: Point) {
    this.#of = of
    this.#at = at
    this.#neighbour = [at[0] + apart, at[1], at[2]]
  }

  get at(): Point {
    return this.#at
  }

  /** Per unit of time; 0 before the first renewal. */
  get lyapunovExponent(): number {
    const renewals = Math.floor(this.#steps / renewalSteps)
    return renewals === 0 ? 0 : this.#logGrowth / (renewals * renewalSteps * this.#of.stepSize)
  }

  step(): void {
    this.#at = next(this.#at, this.#of)
    this.#neighbour = next(this.#neighbour, this.#of)
    this.#steps += 1
    if (this.#steps % renewalSteps === 0) this.#renew()
  }

  #renew(): void {
    const [at, neighbour] = [this.#at, this.#neighbour]
    const [dx, dy, dz] = [neighbour[0] - at[0], neighbour[1] - at[1], neighbour[2] - at[2]]
    const distance = Math.max(Number.MIN_VALUE, Math.hypot(dx, dy, dz))
    this.#logGrowth += Math.log(distance / apart)
    const back = apart / distance
    this.#neighbour = [at[0] + dx * back, at[1] + dy * back, at[2] + dz * back]
  }
}

function next(at: Point, of: LorenzParameters): Point {
  const h = of.stepSize
  const a = slope(at, of)
  const b = slope(moved(at, a, h / 2), of)
  const c = slope(moved(at, b, h / 2), of)
  const d = slope(moved(at, c, h), of)
  return [
    at[0] + (h / 6) * (a[0] + 2 * b[0] + 2 * c[0] + d[0]),
    at[1] + (h / 6) * (a[1] + 2 * b[1] + 2 * c[1] + d[1]),
    at[2] + (h / 6) * (a[2] + 2 * b[2] + 2 * c[2] + d[2]),
  ]
}

function slope([x, y, z]: Point, { sigma, rho, beta }: LorenzParameters): Point {
  return [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
}

function moved(at: Point, by: Point, h: number): Point {
  return [at[0] + by[0] * h, at[1] + by[1] * h, at[2] + by[2] * h]
}
