// Looks at every message of a socket before any event does, those that no event is named for too.

import type { Rate } from '@millrace/domain'
import type { Socket } from 'socket.io'
import { MessageRate } from '../limits/message-rate.ts'
import { problemOf } from '../refusal/problem-of.ts'

export function holdToRate(socket: Socket, rate: Rate, now: () => number, cut: () => void): void {
  const messages = new MessageRate(rate)
  socket.use((message, next) => {
    const overrun = messages.spend(now())
    if (overrun === null) return next()
    const acknowledge: unknown = message.at(-1)
    if (typeof acknowledge === 'function') acknowledge({ ok: false, problem: problemOf(overrun.refusal) })
    if (overrun.cut) cut()
  })
}
