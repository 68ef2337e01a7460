// Gives memory back when a server has come to rest. V8 lets the space for young objects grow in a burst, such as a thousand
// workers that register, and keeps it: from then on an idle server walks through all of it, out of every cache, and looks
// as large as it was at its busiest. A whole collection shrinks it. It takes some tens of milliseconds, so it waits until
// next to nothing goes on, and comes once after each time that something did.

import { performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const lookEveryMs = 10_000
/** A thousand idle workers take half of it. */
const quietBelow = 0.1
const grownFromBytes = 8 * 2 ** 20

/** Looks for as long as the process lives, and keeps no process alive. */
export function restWhenQuiet(): void {
  const rest = new MemoryRest()
  let before = performance.eventLoopUtilization()
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    rest.look(performance.eventLoopUtilization(now, before).utilization)
    before = now
  }
  setInterval(look, lookEveryMs).unref()
}

export class MemoryRest {
  readonly #collect = collector()
  #hasWorked = true

  /** Told of the share of its time that the event loop was busy; whether memory was given back. */
  look(utilization: number): boolean {
    if (utilization >= quietBelow) this.#hasWorked = true
    if (utilization >= quietBelow || !this.#hasWorked || youngBytes() < grownFromBytes) return false
    this.#collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    this.#hasWorked = false
    return true
  }
}

export function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
