// V8 collects young objects when their space is full, which is in the middle of something: whoever waited for that waited
// for the collection too. A thread that has a moment's rest collects them then, while they are few. A busy one is left
// alone: most of its young objects are still in use, and to copy them more often would cost more than it saves.

import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/**
 * Some seven single jobs, collected in a quarter of a millisecond. It has to be less than the space for young objects begins
 * with (node-flags.ts), or that is full first, in the middle of a job; a larger space costs every idle server its size.
 */
export const enoughBytes: number = 1.25 * 1024 * 1024
/** Of the time since the last collection. Above it the next thing to do is likely to come before this one is over. */
const busyShare = 0.6
/**
 * A change that is answered is not at rest yet: its worker has just been woken, often on this very processor, and the job's
 * reports come back within a millisecond. A collection at once kept that worker from the processor.
 */
const restMs = 2

export interface CollectorParts {
  /** Not there where Node was started without `--expose-gc`. */
  readonly collect: ((options: { readonly type: 'minor' }) => void) | undefined
  /** The share of time in which this thread had something to do, since it was last asked. */
  readonly load: () => number
  /** Of its heap. */
  readonly usedBytes: () => number
}

export class RestCollector {
  readonly #parts: CollectorParts
  #leastBytes = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  #isStirring = false

  constructor(parts: CollectorParts) {
    this.#parts = parts
  }

  /** Something is under way. */
  stirs(): void {
    this.#isStirring = true
  }

  /** Nothing is under way any more. */
  rests(): void {
    this.#isStirring = false
    if (!this.#parts.collect) return
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.#rested(), restMs).unref()
  }

  #rested(): void {
    this.#timer = null
    if (this.#isStirring) return
    const { collect, load, usedBytes } = this.#parts
    const used = usedBytes()
    this.#leastBytes = Math.min(this.#leastBytes, used)
    if (used - this.#leastBytes < enoughBytes) return
    if (load() <= busyShare) collect?.({ type: 'minor' })
    this.#leastBytes = usedBytes()
  }
}

/** For the thread that asks. */
export function restCollector(): RestCollector {
  let before = performance.eventLoopUtilization()
  const load = (): number => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
  const usedBytes = (): number => getHeapStatistics().used_heap_size
  return new RestCollector({
    collect: (globalThis as { gc?: CollectorParts['collect'] }).gc,
    load,
    usedBytes,
  })
}
