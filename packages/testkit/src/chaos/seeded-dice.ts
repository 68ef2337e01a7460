// Dice that fall the same way for the same seed, so that the faults of a run can be thrown again.

export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). Mulberry32: 32 bits of state are plenty for picking faults. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.whole(0, items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const drawn = items.map((item) => ({ item, at: this.next() }))
    return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item)
  }

  /** Dice of their own for somebody who throws at unforeseeable times and must not disturb the others. */
  fork(): Dice {
    return new Dice(Math.floor(this.next() * 2 ** 32))
  }
}
