// Dice that fall the same way for the same seed (sfc32). A fork has a stream of its own, so that who rolls more often in
// one place does not change what is rolled in another.

export class SeededDice {
  readonly #seed: string
  #a: number
  #b: number
  #c: number
  #count = 1

  constructor(seed: string) {
    this.#seed = seed
    const hash = hasher(seed)
    this.#a = hash()
    this.#b = hash()
    this.#c = hash()
    // The first numbers still look like the seed.
    for (let n = 0; n < 12; n++) this.next()
  }

  fork(name: string): SeededDice {
    return new SeededDice(`${this.#seed}/${name}`)
  }

  /** In [0, 1), as `Math.random` is. */
  readonly next = (): number => {
    const sum = (this.#a + this.#b + this.#count) | 0
    this.#count = (this.#count + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (this.#c << 21) | (this.#c >>> 11)
    this.#c = (this.#c + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
}

/** FNV-1a over the text, asked again and again for further words. */
function hasher(text: string): () => number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
    return hash | 0
  }
}
