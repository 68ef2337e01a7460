// The unsettled part of one queue: records that wait in it and are not in its table yet, or not as they are now, in
// the order of claims. New ones mostly come last and the first are taken, so a sorted array is cheaper than a heap.

import { compareNames } from '../merge-pages.ts'

export interface Waiting {
  readonly key: string
  score: number | null
}

export class WaitingLine<Item extends Waiting> {
  #items: Item[] = []
  #first = 0

  get length(): number {
    return this.#items.length - this.#first
  }

  get first(): Item | undefined {
    return this.#items[this.#first]
  }

  add(item: Item): void {
    const last = this.#items.at(-1)
    if (this.length === 0 || (last && comesBefore(last, item))) this.#items.push(item)
    else this.#items.splice(this.#placeOf(item), 0, item)
  }

  shift(): void {
    this.#first += 1
    // Half of it empty: moving the rest down costs no more than was taken.
    if (this.#first * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#first)
    this.#first = 0
  }

  remove(item: Item): void {
    const place = this.#placeOf(item)
    if (this.#items[place] !== item) throw new Error(`${item.key} does not wait where it should`)
    this.#items.splice(place, 1)
  }

  filter(stays: (item: Item) => boolean): WaitingLine<Item> {
    const left = new WaitingLine<Item>()
    left.#items = this.#items.slice(this.#first).filter(stays)
    return left
  }

  #placeOf(item: Item): number {
    let from = this.#first
    let to = this.#items.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (comesBefore(this.#items[middle] as Item, item)) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** The order of claims: the lower score, then the key. */
export function comesBefore(a: Waiting, b: Waiting): boolean {
  const [first, second] = [a.score ?? 0, b.score ?? 0]
  return first === second ? compareNames(a.key, b.key) < 0 : first < second
}
