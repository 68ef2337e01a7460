// π by throwing darts at a square: the share that hits the quarter circle, and how the estimate settled on its way.

export interface Estimate {
  readonly thrown: number
  readonly value: number
  /** How far off it is likely to be: one standard deviation. */
  readonly uncertainty: number
}

/** Waypoints lie this much apart, each a fixed factor after the one before: an error falls with the root of the count. */
const waypointsPerDecade = 40

export class PiEstimate {
  readonly #roll: () => number
  readonly #path: Estimate[] = []
  #thrown = 0
  #hits = 0
  #nextWaypoint = 10

  constructor(roll: () => number) {
    this.#roll = roll
  }

  throwDarts(count: number): void {
    const roll = this.#roll
    for (let dart = 0; dart < count; dart += 1) {
      const [x, y] = [roll(), roll()]
      if (x * x + y * y < 1) this.#hits += 1
      this.#thrown += 1
      if (this.#thrown < this.#nextWaypoint) continue
      this.#path.push(this.now)
      this.#nextWaypoint = Math.ceil(this.#thrown * 10 ** (1 / waypointsPerDecade))
    }
  }

  get now(): Estimate {
    const share = this.#thrown === 0 ? 0 : this.#hits / this.#thrown
    const uncertainty = 4 * Math.sqrt((share * (1 - share)) / Math.max(1, this.#thrown))
    return { thrown: this.#thrown, value: 4 * share, uncertainty }
  }

  /** The estimates on the way, the last one included. */
  get path(): readonly Estimate[] {
    return this.#path.at(-1)?.thrown === this.#thrown ? this.#path : [...this.#path, this.now]
  }
}
