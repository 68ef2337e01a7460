// Gathers what arrives and hands it on before a frame is drawn, at most ten times a second: a thousand events are then ten
// changes of the screen, and a single one shows at once. A hidden page draws no frames, so there a timer does it.

const leastMs = 100
const hiddenMs = 250

export class FrameBatch<Item> {
  readonly #flush: (items: Item[]) => void
  #items: Item[] = []
  #isWaiting = false
  #flushedAt = Number.NEGATIVE_INFINITY

  constructor(flush: (items: Item[]) => void) {
    this.#flush = flush
  }

  add(items: readonly Item[]): void {
    for (const item of items) this.#items.push(item)
    if (this.#isWaiting || this.#items.length === 0) return
    this.#isWaiting = true
    const isHidden = document.visibilityState === 'hidden'
    const restMs = isHidden ? hiddenMs : this.#flushedAt + leastMs - performance.now()
    if (isHidden) setTimeout(this.#turn, restMs)
    else if (restMs > 0) setTimeout(() => requestAnimationFrame(this.#turn), restMs)
    else requestAnimationFrame(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isWaiting = false
    this.#flushedAt = performance.now()
    const items = this.#items
    this.#items = []
    this.#flush(items)
  }
}
