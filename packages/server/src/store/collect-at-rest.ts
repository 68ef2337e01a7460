// V8 collects young objects when their space is full, which is in the middle of something: whoever waited for that waited
// for the collection too. A thread that has a moment's rest collects them then, while they are few. A busy one is left
// alone: most of its young objects are still in use, and to copy them more often would cost more than it saves.

import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** Some twenty single jobs: collecting them takes about half a millisecond, most of it the same however few they are. */
const enoughBytes = 3 * 1024 * 1024
/** Of the time since the last collection. Above it the next thing to do is likely to come before this one is over. */
const busyShare = 0.6

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
  #isPlanned = false

  constructor(parts: CollectorParts) {
    this.#parts = parts
  }

  /** Nothing is under way. What was just answered is first handed on to whoever waits for it. */
  rests(): void {
    if (!this.#parts.collect || this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      this.#rest()
    })
  }

  #rest(): void {
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
