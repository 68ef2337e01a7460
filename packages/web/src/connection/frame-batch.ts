// Gathers what arrives and hands it on once for each frame that is drawn: a thousand events in a second are then some
// fifty changes of the screen. A hidden page draws no frames, so there a timer does it.

export class FrameBatch<Item> {
  readonly #flush: (items: Item[]) => void
  #items: Item[] = []
  #isWaiting = false

  constructor(flush: (items: Item[]) => void) {
    this.#flush = flush
  }

  add(items: readonly Item[]): void {
    for (const item of items) this.#items.push(item)
    if (this.#isWaiting || this.#items.length === 0) return
    this.#isWaiting = true
    if (document.visibilityState === 'hidden') setTimeout(this.#turn, 250)
    else requestAnimationFrame(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isWaiting = false
    const items = this.#items
    this.#items = []
    this.#flush(items)
  }
}
