// The audit trail: what people did, to what, and how it went.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { CallerRole, Id, Instant, Name, nullable, oneOf, roomParams, strict } from '../shapes.ts'

export const AuditView = strict({
  id: Id,
  at: Instant,
  /** Null: nobody who is known, or the server's own configuration. */
  actor: nullable(Name),
  role: nullable(CallerRole),
  /** `room.create`, `job.cancel`, `sign_in`, … */
  action: Type.String(),
  /** The name or id of what it was done to; empty where that is not known. */
  target: Type.String(),
  room: nullable(Name),
  /** `begun`: about many jobs, and not come to its end. */
  outcome: oneOf('done', 'begun', 'refused'),
  details: Type.Unsafe<Record<string, string | number | boolean | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  }),
})
export type AuditView = Static<typeof AuditView>

const AuditQuery = strict({
  actor: Type.Optional(Name),
  action: Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: 'one (room.create), or all of a noun (room)' }),
  ),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
})
export type AuditQuery = Static<typeof AuditQuery>

const AuditPage = strict({ entries: Type.Array(AuditView), cursor: Type.Optional(Type.String()) })
export type AuditPage = Static<typeof AuditPage>

export const listAudit = route({
  method: 'GET',
  path: '/api/audit',
  tag: 'audit',
  summary: 'What people did, newest first',
  access: 'admin',
  query: strict({ room: Type.Optional(Name), ...AuditQuery.properties }),
  replies: { 200: AuditPage },
})

export const listRoomAudit = route({
  method: 'GET',
  path: '/api/rooms/{room}/audit',
  tag: 'audit',
  summary: 'What people did about this room, newest first, for those who manage it',
  access: 'signed-in',
  params: roomParams,
  query: AuditQuery,
  replies: { 200: AuditPage },
})
