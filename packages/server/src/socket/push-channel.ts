// The socket of a worker as the channel over which it is given jobs and asked for signs of life.

import type { Job, Vitals } from '@millrace/domain'
import type { Beat } from '@millrace/protocol'
import { clientEvents } from '@millrace/protocol'
import { Ajv } from 'ajv'
import type { Socket } from 'socket.io'
import type { Channel, StopOrder } from '../worker/roster.ts'
import { assignedText } from './assigned-text.ts'

const isBeat = new Ajv({ strict: false }).compile<Beat>(clientEvents.workerBeat.reply)

export class PushChannel implements Channel {
  readonly ahead: number
  readonly #socket: Socket

  constructor(socket: Socket, ahead: number) {
    this.#socket = socket
    this.ahead = ahead
  }

  ready(): number {
    return this.#socket.connected ? Number.POSITIVE_INFINITY : 0
  }

  /** A socket that breaks now takes them along; the worker says at its return that it does not have them. */
  assign(jobs: readonly Job[]): readonly Job[] {
    this.#socket.emit(clientEvents.jobAssigned.event, assignedText(jobs))
    return []
  }

  stop(orders: readonly StopOrder[]): void {
    this.#socket.emit(clientEvents.jobCancel.event, orders)
  }

  /** A beat that never comes back leaves nothing behind but its callback, which goes with the socket. */
  ask(answered: (vitals: Vitals | null) => void): void {
    this.#socket.emit(clientEvents.workerBeat.event, {}, (beat: unknown) => {
      answered(isBeat(beat) ? (beat.vitals ?? null) : null)
    })
  }

  close(): void {
    this.#socket.disconnect(true)
  }
}
