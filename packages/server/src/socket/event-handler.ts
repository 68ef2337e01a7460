// Puts an event of the protocol on a socket: what comes is checked against its schema, what is refused or goes wrong is
// told in the acknowledgement. Whatever a client sends, it gets an answer and the server goes on.

import type { Identity, Refusal } from '@millrace/domain'
import type { AnswerOf, PayloadOf, ToServerEvent } from '@millrace/protocol'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Socket } from 'socket.io'
import { problemOf, refusedHere } from '../refusal/problem-of.ts'

export interface EventCall<E extends ToServerEvent> {
  readonly payload: PayloadOf<E>
  readonly who: Identity
  readonly socket: Socket
}

type Accepted<E extends ToServerEvent> = Omit<Extract<AnswerOf<E>, { ok: true }>, 'ok'>

export type EventHandler<E extends ToServerEvent> = (call: EventCall<E>) => Promise<Accepted<E> | Refusal>

export interface EventDoor {
  /** The credential again, each time: it may have expired or been revoked since the socket was opened. */
  readonly identify: (socket: Socket) => Promise<Identity | Refusal>
  readonly onFault: (fault: unknown, where: string) => void
}

const ajv = new Ajv({ allErrors: false, strict: false, validateFormats: false })

export function addEvent<E extends ToServerEvent>(
  door: EventDoor,
  event: E,
  handler: EventHandler<E>,
): (socket: Socket) => void {
  const isValid = ajv.compile(event.payload)
  return (socket) => {
    socket.on(event.event, async (...sent: unknown[]) => {
      // A message without a payload begins with its acknowledgement, which no schema takes for one.
      const [payload, acknowledge] = [sent[0], sent.at(-1)]
      const answer = await answerTo(door, event, isValid, handler, { payload, socket })
      if (typeof acknowledge === 'function') acknowledge(answer)
    })
  }
}

async function answerTo<E extends ToServerEvent>(
  door: EventDoor,
  event: E,
  isValid: ValidateFunction,
  handler: EventHandler<E>,
  { payload, socket }: { readonly payload: unknown; readonly socket: Socket },
): Promise<unknown> {
  try {
    const who = await door.identify(socket)
    if ('refused' in who) return refused(who)
    if (who.role === 'pool' && event.access !== 'worker') return refused(refusedHere('pool_forbidden'))
    if (!isValid(payload)) return refused(invalid(isValid))
    const answer = await handler({ payload: payload as PayloadOf<E>, who, socket })
    return 'refused' in answer ? refused(answer) : { ok: true, ...answer }
  } catch (fault) {
    const problem = problemOf(fault)
    if (problem.status === 500) door.onFault(fault, event.event)
    return { ok: false, problem }
  }
}

function refused(refusal: unknown): { readonly ok: false; readonly problem: unknown } {
  return { ok: false, problem: problemOf(refusal) }
}

function invalid({ errors }: ValidateFunction): Refusal {
  const [first] = errors ?? []
  const pointer = first?.instancePath ?? ''
  return refusedHere('request_invalid', `payload${pointer} ${first?.message ?? 'is not valid'}.`, { pointer })
}
