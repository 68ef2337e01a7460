// Tells in the log when the store went out and when it is back. In between every loop of the server meets the same fault
// again and again, and whoever reads the log has to find these two lines.

import { StoreFull, StoreUnavailable } from '../ports/store-unavailable.ts'

export interface OutageLog {
  info(message: string): void
  warn(message: string): void
}

export class StoreOutage {
  readonly #log: OutageLog
  readonly #now: () => number
  /** The last time that everything asked of the store was answered. */
  #goodAt: number
  #outAt: number | null = null
  /** What was said of this outage. */
  readonly #said = new Set<string>()

  constructor(log: OutageLog, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
    this.#goodAt = now()
  }

  /** Whether the fault is this outage's and needs no line of its own. */
  covers(fault: unknown): boolean {
    if (!(fault instanceof StoreUnavailable) || fault instanceof StoreFull) return false
    // A store that refuses one thing may do all others; that is a fault to look at, once.
    if (fault.answered) return this.#outAt !== null && this.#isRepeated(fault)
    this.began(fault)
    return true
  }

  began(fault: StoreUnavailable): void {
    this.#said.add(fault.message)
    if (this.#outAt !== null) return
    this.#outAt = this.#now()
    this.#log.warn(
      `the store is out: ${causeOf(fault)}. Requests are refused with 503 and nothing is placed until it is back.`,
    )
  }

  /** A whole round of upkeep went through that began at this instant. */
  good(beganAt: number): void {
    // It may have had its answers before the store went out.
    if (this.#outAt !== null && beganAt < this.#outAt) return
    const outMs = this.#now() - this.#goodAt
    if (this.#outAt !== null) this.#log.info(`the store is back; it was out for about ${showSeconds(outMs)}`)
    this.#outAt = null
    this.#said.clear()
    this.#goodAt = this.#now()
  }

  #isRepeated({ message }: StoreUnavailable): boolean {
    const isRepeated = this.#said.has(message)
    this.#said.add(message)
    return isRepeated
  }
}

/** With what lies beneath, where that says more: a connection that is refused, a name that is not found. */
function causeOf({ message, cause }: StoreUnavailable): string {
  const beneath = cause instanceof Error && cause.message !== '' && !message.includes(cause.message)
  return beneath ? `${message} (${cause.message})` : message
}

function showSeconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1_000))} s`
}
