// Listens to a replica's relay as a room's clients do: the numbers of each partition follow each other without a gap,
// until the relay says that its place was lost.

import type { FeedBatch, FeedListener } from '@millrace/server'

export class SequenceWatch implements FeedListener {
  readonly #onProblem: (problem: string) => void
  readonly #last = new Map<string, number>()

  constructor(onProblem: (problem: string) => void) {
    this.#onProblem = onProblem
  }

  /** Null when nothing was heard of it since this life, or the last reset, began. */
  lastOf(partition: string): number | null {
    return this.#last.get(partition) ?? null
  }

  onBatch({ partition, events }: FeedBatch): void {
    for (const { sequence } of events) {
      const last = this.#last.get(partition)
      if (last !== undefined && sequence !== last + 1)
        this.#onProblem(`event ${sequence} of ${partition} followed event ${last}`)
      this.#last.set(partition, sequence)
    }
  }

  onReset(): void {
    this.#last.clear()
  }
}
