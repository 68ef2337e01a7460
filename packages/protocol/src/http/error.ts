// Errors of jobs, those that are alike as one.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Id, Instant, Name, nullable, Scope, strict } from '../shapes.ts'

const ErrorGroup = strict({
  fingerprint: Id,
  scope: Scope,
  category: Name,
  extension: Name,
  name: nullable(Type.String()),
  /** The message with numbers, ids and quoted texts taken out. */
  pattern: Type.String(),
  /** The first line of the stack that is the author's own. */
  place: nullable(Type.String()),
  count: Count,
  firstAt: Instant,
  lastAt: Instant,
  /** Where it was seen, of the rooms that the caller may see. */
  rooms: Type.Array(strict({ room: Name, count: Count })),
  /** The last job that failed so; it may have been removed since. */
  example: strict({ room: Name, job: Id, message: Type.String() }),
})
export type ErrorGroup = Static<typeof ErrorGroup>

export const listErrors = route({
  method: 'GET',
  path: '/api/errors',
  tag: 'errors',
  summary: 'What went wrong in the rooms I may see, errors that are alike as one, the latest first',
  access: 'signed-in',
  query: strict({
    room: Type.Optional(Name),
    fingerprint: Type.Optional(Id),
    category: Type.Optional(Name),
    extension: Type.Optional(Name),
    since: Type.Optional(Instant),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  }),
  replies: {
    200: strict({
      errors: Type.Array(ErrorGroup),
      /** There are more than were looked at. */
      more: Type.Boolean(),
    }),
  },
})
