// What a route of the wire is: its address, its schemas, and who may ask at all. Validation, types, OpenAPI and the
// access matrix of the tests all come from it.

import type { Static, TSchema } from 'typebox'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may knock: anyone; whoever has a credential, be it a pool's token (the doors of workers); the same without pools;
 * whoever signed in themselves; or an admin. What lies behind the door is for the use-case to say.
 */
export type Access = 'anyone' | 'worker' | 'token' | 'signed-in' | 'admin'

export interface Route {
  readonly method: Method
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly access: Access
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** By status; null for an answer without a body. Refusals are problems and stand in the catalogue. */
  readonly replies: Readonly<Record<number, TSchema | null>>
}

/** Keeps the literal types of a route, so that handlers are checked against its schemas. */
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Read<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export type ParamsOf<R extends Route> = Read<R['params']>
export type QueryOf<R extends Route> = Read<R['query']>
export type BodyOf<R extends Route> = Read<R['body']>
export type ReplyOf<R extends Route> = {
  [Status in keyof R['replies']]: ReplyBody<R['replies'][Status]>
}[keyof R['replies']]

type ReplyBody<Schema> = Schema extends TSchema ? Static<Schema> : null
