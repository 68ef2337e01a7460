// What this replica believes is waiting. It may believe in more than there is, never for long in less: a claim that comes
// up short corrects it at once, and a full look at the store every poll interval adds what other replicas brought.

import type { QueueDepth, Store } from '../ports/store.ts'

export interface WaitingQueue {
  readonly room: string
  readonly queue: string
  readonly pending: number
  /** About the score at the head; exact after a look at the store. */
  readonly headScore: number
}

interface Entry {
  readonly room: string
  readonly queue: string
  pending: number
  headScore: number
}

export class WaitingQueues {
  readonly #store: Store
  readonly #entries = new Map<string, Entry>()
  /** The sum over a room's queues: every submit asks for it. */
  readonly #inRooms = new Map<string, number>()
  #lastLook: Promise<void> = Promise.resolve()
  /** What was added while a look is under way, which that look may have missed. */
  #addedMeanwhile: Entry[] | null = null

  constructor(store: Store) {
    this.#store = store
  }

  all(): Iterable<WaitingQueue> {
    return this.#entries.values()
  }

  get(room: string, queue: string): WaitingQueue | undefined {
    return this.#entries.get(placeOf(room, queue))
  }

  get pending(): number {
    let sum = 0
    for (const { pending } of this.#entries.values()) sum += pending
    return sum
  }

  /** In all queues of a room. */
  pendingIn(room: string): number {
    return this.#inRooms.get(room) ?? 0
  }

  added(room: string, queue: string, count: number, score: number): void {
    const entry = { room, queue, pending: count, headScore: score }
    this.#add(entry)
    this.#addedMeanwhile?.push(entry)
  }

  /** So many are being claimed. Those that a claim does not find were never there. */
  taken(room: string, queue: string, count: number): void {
    const entry = this.#entries.get(placeOf(room, queue))
    if (!entry) return
    this.#count(room, -Math.min(count, entry.pending))
    entry.pending -= count
    if (entry.pending <= 0) this.#entries.delete(placeOf(room, queue))
  }

  /** At one room, or at all. Looks follow each other, so that what one misses the next has seen. */
  look(room?: string): Promise<void> {
    this.#lastLook = this.#lastLook.then(() => this.#look(room))
    const look = this.#lastLook
    this.#lastLook = look.catch(() => undefined)
    return look
  }

  async #look(room?: string): Promise<void> {
    const addedMeanwhile: Entry[] = []
    this.#addedMeanwhile = addedMeanwhile
    try {
      const depths = await this.#store.queues(room)
      for (const [place, entry] of this.#entries) {
        if (room === undefined || entry.room === room) this.#drop(place, entry)
      }
      for (const depth of depths) this.#add(entryOf(depth))
      for (const entry of addedMeanwhile) if (room === undefined || entry.room === room) this.#add(entry)
    } finally {
      this.#addedMeanwhile = null
    }
  }

  #drop(place: string, { room, pending }: Entry): void {
    this.#entries.delete(place)
    this.#count(room, -pending)
  }

  #count(room: string, delta: number): void {
    const sum = this.pendingIn(room) + delta
    if (sum > 0) this.#inRooms.set(room, sum)
    else this.#inRooms.delete(room)
  }

  #add({ room, queue, pending, headScore }: Entry): void {
    const place = placeOf(room, queue)
    this.#count(room, pending)
    const known = this.#entries.get(place)
    if (!known) {
      this.#entries.set(place, { room, queue, pending, headScore })
      return
    }
    known.pending += pending
    known.headScore = Math.min(known.headScore, headScore)
  }
}

export function placeOf(room: string, queue: string): string {
  return `${room} ${queue}`
}

function entryOf({ partition, queue, pending, headScore }: QueueDepth): Entry {
  return { room: partition, queue, pending, headScore }
}
