// A client that has joined a room as a browser does, and hears from the feed how many of its jobs are completed. The
// feed tells what is committed, so a job that is counted here is completed in the store.

import type { ApiClient } from '@millrace/testkit'

interface StateBatch {
  readonly from: number
  readonly to: number
  readonly events: readonly { readonly status: string }[]
}

export class RoomListener {
  #completed = 0
  #events = 0
  #last: number | null = null
  #wanted = Number.POSITIVE_INFINITY
  #reached: () => void = () => undefined
  #missed: (fault: Error) => void = () => undefined

  static async join(api: ApiClient, room: string): Promise<RoomListener> {
    const listener = new RoomListener()
    const socket = await api.socket()
    socket.on('job:state_changed', (batch: StateBatch) => listener.#hear(batch))
    const joined = (await socket.emitWithAck('room:join', { room })) as { readonly ok: boolean }
    if (!joined.ok) throw new Error(`could not join: ${JSON.stringify(joined)}`)
    return listener
  }

  get count(): number {
    return this.#completed
  }

  get events(): number {
    return this.#events
  }

  /** Resolves when this many more jobs are completed. */
  completed(count: number): Promise<void> {
    this.#wanted = this.#completed + count
    return new Promise((resolve, reject) => {
      this.#reached = resolve
      this.#missed = reject
    })
  }

  #hear({ from, to, events }: StateBatch): void {
    if (this.#last !== null && from !== this.#last + 1)
      this.#missed(new Error(`the feed has a gap between ${this.#last} and ${from}`))
    this.#last = to
    this.#events += events.length
    for (const { status } of events) if (status === 'completed') this.#completed += 1
    if (this.#completed >= this.#wanted) this.#reached()
  }
}
