// The load of a soak: as many jobs as can be done, to learn how many that is, and then half of it, steadily, with some
// that talk, fail or are cancelled; and listeners in the room who hear all of it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { JobStateChanged } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import type { ApiClient } from '../server/api-client.ts'
import type { SoakData } from './soak-worker-main.ts'

/** In a hundred; the rest do nothing. */
const mix: readonly (readonly [SoakData['do'], number])[] = [
  ['talk', 10],
  ['fail-once', 2],
  ['fail', 1],
  ['hold', 1],
]
const bulk = 100
const inFlight = 4
const listeners = 3
const beatMs = 100

export class SoakLoad {
  readonly ended: Record<string, number> = {}
  submitted = 0
  refused = 0
  readonly #client: ApiClient
  readonly #room: string
  readonly #text: string
  readonly #sockets: Socket[] = []
  #turn = 0

  private constructor(client: ApiClient, room: string, textLength: number) {
    this.#client = client
    this.#room = room
    this.#text = 'x'.repeat(textLength)
  }

  static async open(client: ApiClient, room: string, textLength: number): Promise<SoakLoad> {
    const load = new SoakLoad(client, room, textLength)
    for (let n = 0; n < listeners; n += 1) {
      const socket = await client.socket()
      if (n === 0) socket.on('job:state_changed', (changed: JobStateChanged) => load.#hear(changed))
      await socket.emitWithAck('room:join', { room })
      load.#sockets.push(socket)
    }
    return load
  }

  get endedCount(): number {
    return Object.values(this.ended).reduce((sum, count) => sum + count, 0)
  }

  /** Jobs per second that can be done, with as many under way as there are slots to keep busy. */
  async measure(ms: number): Promise<number> {
    const [begun, before] = [performance.now(), this.endedCount]
    // On a slow machine nothing may have ended by then, and half of nothing is no load.
    const isEnough = (): boolean =>
      performance.now() - begun >= ms && this.endedCount - before >= 2 * bulk * inFlight
    const one = async (): Promise<void> => {
      while (!isEnough()) {
        await this.#submit(bulk)
        while (this.submitted - this.endedCount > 2 * bulk * inFlight) await sleep(1)
      }
    }
    await Promise.all(Array.from({ length: inFlight }, one))
    return (this.endedCount - before) / ((performance.now() - begun) / 1_000)
  }

  /** So many per second for as long as it is wanted, whatever becomes of them. */
  async run(perSecond: number, isWanted: () => boolean): Promise<void> {
    const begun = performance.now()
    let sent = 0
    while (isWanted()) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond) - sent
      sent += due
      for (let left = due; left > 0; left -= bulk) await this.#submit(Math.min(bulk, left))
      await sleep(beatMs)
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }

  async #submit(count: number): Promise<void> {
    const jobs = Array.from({ length: count }, () => ({ data: { do: this.#next(), text: this.#text } }))
    const path = `/api/rooms/${this.#room}/extensions/room/soak/Soak/submit-many`
    const { status, body } = await this.#client.call<{ jobs: { id: string }[] }>('POST', path, { jobs })
    if (status !== 201) {
      this.refused += count
      return
    }
    this.submitted += count
    jobs.forEach(({ data }, n) => {
      const id = body.jobs[n]?.id
      if (data.do === 'hold' && id !== undefined) void this.#cancel(id)
    })
  }

  #next(): SoakData['do'] {
    this.#turn = (this.#turn + 37) % 100
    let at = this.#turn
    for (const [what, share] of mix) {
      if (at < share) return what
      at -= share
    }
    return 'nothing'
  }

  #hear({ events }: JobStateChanged): void {
    for (const { status } of events) {
      if (status === 'completed' || status === 'failed' || status === 'cancelled') {
        this.ended[status] = (this.ended[status] ?? 0) + 1
      }
    }
  }

  /** Nothing else ends these; some wait by then and most run. */
  async #cancel(id: string): Promise<void> {
    await this.#client.call('POST', `/api/rooms/${this.#room}/jobs/${id}/cancel`)
  }
}
