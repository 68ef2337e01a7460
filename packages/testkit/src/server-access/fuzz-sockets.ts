// The connections that the fuzz of events speaks over: one for each of those it plays, made anew where what it said has
// cut the one before, and others of which one case alone knows.

import type { Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { ApiClient } from '../server/api-client.ts'
import { type Acknowledged, tell } from './event-messages.ts'
import type { FuzzScene } from './fuzz-scene.ts'
import type { Who } from './who.ts'

export class FuzzSockets {
  readonly #scene: FuzzScene
  readonly #open = new Map<Who, Socket>()

  constructor(scene: FuzzScene) {
    this.#scene = scene
  }

  async newOf(who: Who): Promise<Socket> {
    return new ApiClient(this.#scene.access.server.url, await this.#scene.tokenOf(who)).socket()
  }

  /** What it says may make a connection a worker, which is cut when it shows no sign of life; then a new one says it. */
  async answerTo(who: Who, event: string, sent: unknown): Promise<Acknowledged> {
    const socket = await this.#of(who)
    const answer = await tell(socket, event, sent).catch((fault) => {
      if (socket.connected) throw fault
      return null
    })
    return answer ?? tell(await this.#of(who), event, sent)
  }

  /** A connection of its own says it and is cut, while another of the same user goes on. */
  async cutBy(event: string, ...sent: readonly unknown[]): Promise<void> {
    const [other, socket] = await Promise.all([this.newOf('member'), this.newOf('member')])
    const cut = new Promise((resolve) => socket.once('disconnect', resolve))
    socket.emit(event, ...sent)
    await cut
    expect(await tell(other, 'room:leave', { room: 'hall' })).toEqual({ ok: true })
    other.close()
    expect(this.#scene.access.server.faults).toEqual([])
  }

  close(): void {
    for (const socket of this.#open.values()) socket.close()
  }

  async #of(who: Who): Promise<Socket> {
    const open = this.#open.get(who)
    if (open?.connected) return open
    const socket = await this.newOf(who)
    this.#open.set(who, socket)
    return socket
  }
}
