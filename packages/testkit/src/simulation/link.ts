// One connection between a worker and a replica. What is sent one way arrives in order, or not at all once it is broken.
// A silent link is the half-open one: nothing arrives, and neither side knows until its own pings time out.

import type { SeededDice } from './seeded-dice.ts'
import { Life, type VirtualClock } from './virtual-clock.ts'

export type Side = 'server' | 'worker'

export interface LinkEnds {
  readonly server: Life
  readonly worker: Life
}

const sides: readonly Side[] = ['server', 'worker']
const wire = new Life('wire')

/** Socket.IO's own pings, as the server sets them: a dead connection is noticed after this long at the latest. */
const noticedWithinMs = { least: 20_000, most: 45_000 }

export class Link {
  readonly #clock: VirtualClock
  readonly #dice: SeededDice
  readonly #ends: LinkEnds
  readonly #believesOpen: Record<Side, boolean> = { server: true, worker: true }
  readonly #arrivesAt: Record<Side, number> = { server: 0, worker: 0 }
  readonly #onClosed: Record<Side, () => void> = { server: () => undefined, worker: () => undefined }
  #isCarrying = true

  constructor(clock: VirtualClock, dice: SeededDice, ends: LinkEnds) {
    this.#clock = clock
    this.#dice = dice
    this.#ends = ends
  }

  isOpen(side: Side): boolean {
    return this.#believesOpen[side]
  }

  onClosed(side: Side, run: () => void): void {
    this.#onClosed[side] = run
  }

  send(to: Side, arrived: () => void): void {
    if (!this.#believesOpen[other(to)]) return
    const at = Math.max(this.#arrivesAt[to], this.#clock.now + this.#latencyMs())
    this.#arrivesAt[to] = at
    this.#clock.after(wire, at - this.#clock.now, () => {
      if (this.#isCarrying) this.#hand(to, arrived)
    })
  }

  /** One side hangs up; the other hears of it, if anything is still heard. */
  close(side: Side): void {
    if (!this.#believesOpen[side]) return
    this.send(other(side), () => this.#closed(other(side)))
    this.#closed(side)
  }

  /** The connection is reset: what is on its way is lost, and both sides notice soon. */
  break(): void {
    this.#isCarrying = false
    for (const side of sides) this.#notice(side, this.#dice.between(0, 300))
  }

  /** Nothing arrives any more, and nobody says so. */
  fallSilent(): void {
    this.#isCarrying = false
    const { least, most } = noticedWithinMs
    for (const side of sides) this.#notice(side, this.#dice.between(least, most))
  }

  #notice(side: Side, afterMs: number): void {
    this.#clock.after(this.#ends[side], afterMs, () => this.#closed(side))
  }

  /** Read by the process when it gets to it: one that is stopped finds it later, and in order. */
  #hand(to: Side, arrived: () => void): void {
    this.#clock.after(this.#ends[to], 0, () => {
      if (this.#believesOpen[to]) arrived()
    })
  }

  #closed(side: Side): void {
    if (!this.#believesOpen[side]) return
    this.#believesOpen[side] = false
    this.#onClosed[side]()
  }

  #latencyMs(): number {
    return this.#dice.chance(0.03) ? this.#dice.between(50, 1_500) : this.#dice.between(0, 20)
  }
}

function other(side: Side): Side {
  return side === 'server' ? 'worker' : 'server'
}
