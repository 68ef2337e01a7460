// What an event on the socket is. Every event to the server is acknowledged: `{ ok: true, … }` or `{ ok: false, problem }`.

import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Problem, strict } from './shapes.ts'

export interface ToServerEvent {
  readonly event: string
  readonly summary: string
  /** A pool's token is heard where a worker speaks, and nowhere else. */
  readonly access: 'worker' | 'token'
  readonly payload: TSchema
  /** What the acknowledgement carries beside `ok: true`. */
  readonly reply: TSchema
}

export interface ToClientEvent {
  readonly event: string
  readonly summary: string
  readonly payload: TSchema
  /** What the client answers, where the server asks. */
  readonly reply?: TSchema
}

export function toServer<const E extends ToServerEvent>(definition: E): E {
  return definition
}

export function toClient<const E extends ToClientEvent>(definition: E): E {
  return definition
}

export function accepted<Fields extends TProperties>(fields: Fields) {
  return strict({ ok: Type.Literal(true), ...fields })
}

export const Refused = strict({ ok: Type.Literal(false), problem: Problem })
export type Refused = Static<typeof Refused>

export type PayloadOf<E extends { readonly payload: TSchema }> = Static<E['payload']>
export type AnswerOf<E extends ToServerEvent> = Static<E['reply']> | Refused
