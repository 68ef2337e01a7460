// What a worker is doing, in a word, and the arithmetic of its slots and beats.

import type { WorkerView } from '@millrace/protocol'

export type WorkerWord = 'ready' | 'busy' | 'draining' | 'unwell' | 'away' | 'lost'

type Seen = Pick<WorkerView, 'presence' | 'draining' | 'healthy' | 'free'>

export function wordOf({ presence, draining, healthy, free }: Seen): WorkerWord {
  if (presence === 'lost') return 'lost'
  if (presence === 'away') return 'away'
  if (draining) return 'draining'
  if (!healthy) return 'unwell'
  return free.slots > 0 ? 'ready' : 'busy'
}

const order: readonly WorkerWord[] = ['unwell', 'away', 'draining', 'busy', 'ready', 'lost']

/** What may need somebody stands first; what is gone last. */
export function byNeed(workers: readonly WorkerView[]): readonly WorkerView[] {
  const rank = (worker: WorkerView): number => order.indexOf(wordOf(worker))
  return workers.toSorted((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}

/** More would no longer be told apart by looking. */
const mostBlocks = 32

export interface SlotBlocks {
  /** How many blocks are drawn, and how many of them full. */
  readonly blocks: number
  readonly full: number
}

/** One block for each slot; where they are too many, each stands for several, and one taken slot is still seen. */
export function slotBlocks(total: number, free: number): SlotBlocks {
  const used = Math.max(0, total - Math.max(0, free))
  if (total <= mostBlocks) return { blocks: Math.max(0, total), full: used }
  const share = (used / total) * mostBlocks
  const full = used === total ? mostBlocks : Math.min(mostBlocks - 1, Math.ceil(share))
  return { blocks: mostBlocks, full }
}

/** A beat comes every five seconds, and takes a moment to be written. */
const beatMs = 5_000
const slackMs = 600
const leastMs = 1_000

/** When it is worth asking again for the sake of beats; never where nobody beats. */
export function nextBeatInMs(
  workers: readonly Pick<WorkerView, 'presence' | 'heardAt'>[],
  now: number,
): number | false {
  const heard = workers.flatMap(({ presence, heardAt }) => (presence === 'connected' ? [heardAt] : []))
  if (heard.length === 0) return false
  const due = Math.min(...heard) + beatMs + slackMs - now
  return Math.min(beatMs, Math.max(leastMs, due))
}

/** The server takes a worker that missed one beat altogether for late. */
export function isLate(heardAt: number, now: number): boolean {
  return now - heardAt > 2 * beatMs
}
