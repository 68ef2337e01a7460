// The only time there is in a history: a queue of events, each belonging to the life of one process. Between two events
// all promises come to rest, so what happens depends on the queue alone. A process that is stopped finds its events when
// it goes on; one whose life is over never does.

export type LifeState = 'up' | 'stopped' | 'over'

export class Life {
  readonly name: string
  state: LifeState = 'up'
  /** What came while it was stopped, in order. */
  readonly missed: (() => void)[] = []

  constructor(name: string) {
    this.name = name
  }
}

export interface Appointment {
  cancelled: boolean
}

interface Entry extends Appointment {
  readonly at: number
  /** Of equal instants the one that was arranged first comes first. */
  readonly order: number
  readonly life: Life
  readonly run: () => void
}

export class VirtualClock {
  readonly #heap: Entry[] = []
  #now: number
  #order = 0
  #ran = 0
  /** Whose event is being run: what it arranges without saying for whom is its own. */
  #current: Life

  constructor(now: number) {
    this.#now = now
    this.#current = new Life('nobody')
  }

  get now(): number {
    return this.#now
  }

  get current(): Life {
    return this.#current
  }

  /** How many events have been run. */
  get ran(): number {
    return this.#ran
  }

  after(life: Life, delayMs: number, run: () => void): Appointment {
    const at = this.#now + Math.max(0, delayMs)
    const entry: Entry = { at, order: this.#order++, life, run, cancelled: false }
    this.#push(entry)
    return entry
  }

  stop(life: Life): void {
    if (life.state === 'up') life.state = 'stopped'
  }

  resume(life: Life): void {
    if (life.state !== 'stopped') return
    life.state = 'up'
    for (const run of life.missed.splice(0)) this.after(life, 0, run)
  }

  end(life: Life): void {
    life.state = 'over'
    life.missed.length = 0
  }

  /** Runs one event after the other until it is over or nothing is left to happen. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const entry = this.#pop()
      if (!entry) return
      if (entry.cancelled || entry.life.state === 'over') continue
      this.#now = Math.max(this.#now, entry.at)
      if (entry.life.state === 'stopped') {
        entry.life.missed.push(() => {
          if (!entry.cancelled) entry.run()
        })
        continue
      }
      this.#ran += 1
      this.#current = entry.life
      entry.run()
      await promisesAtRest()
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (isBefore(heap[parent] as Entry, entry)) break
      heap[at] = heap[parent] as Entry
      at = parent
    }
    heap[at] = entry
  }

  #pop(): Entry | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (!last || heap.length === 0) return first
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const child = right < heap.length && isBefore(heap[right] as Entry, heap[left] as Entry) ? right : left
      if (isBefore(last, heap[child] as Entry)) break
      heap[at] = heap[child] as Entry
      at = child
    }
    heap[at] = last
    return first
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** Nothing in a history waits for the machine, so one turn of its event loop leaves no promise to be continued. */
function promisesAtRest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
