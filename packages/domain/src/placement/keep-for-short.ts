// Which slots of a pool are kept for extensions whose runs are short, so that a pool full of long jobs still starts a
// short one at once, and which extensions count as short.

/** The slots of one worker: all it has, those free now, and those that long jobs hold. */
export interface SlotUse {
  readonly total: number
  readonly free: number
  readonly heldByLong: number
}

/** What is known of an extension. */
export interface RunLengths {
  /** Runs that were measured, and those of them that took less than the bound. */
  readonly measured: number
  readonly below: number
  /** What its policy promises. */
  readonly promised: boolean
  /** Its jobs are killed after this; null where the policy leaves it open. */
  readonly runLimitMs: number | null
}

/** Of 100 runs, so many have to be below the bound. */
const shortShare = 0.95

/**
 * What was measured weighs more than what was promised. An extension that was never measured counts as long: taken for
 * short by mistake it would fill the very slots that are kept free of long jobs, taken for long it only waits once. It
 * counts as short where its policy says so, or where its jobs are killed before they could be long.
 */
export function isShort({ measured, below, promised, runLimitMs }: RunLengths, boundMs: number): boolean {
  if (measured > 0) return below >= shortShare * measured
  return promised || (runLimitMs !== null && runLimitMs <= boundMs)
}

/** How many slots of a worker are kept; at least one is left to long jobs, or they could never run. */
export function keptSlots(total: number, share: number): number {
  return Math.max(0, Math.min(Math.round(total * share), total - 1))
}

/**
 * Of the free slots, those that only short classes may take. Long jobs may hold all but the kept ones, wherever short
 * ones happen to run; so a short job that runs in a slot open to all does not shrink what is kept.
 */
export function keepForShort({ total, free, heldByLong }: SlotUse, share: number): number {
  const openToAll = Math.max(0, total - keptSlots(total, share) - heldByLong)
  return Math.max(0, free - openToAll)
}
