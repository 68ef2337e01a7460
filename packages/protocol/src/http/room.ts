// Rooms and who belongs to them.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Instant, Name, nullable, oneOf, roomParams, strict } from '../shapes.ts'

const MemberRole = oneOf('owner', 'member', 'viewer')
const RoomAccess = oneOf('open', 'private')

export const RoomView = strict({
  name: Name,
  access: RoomAccess,
  /** What the caller may do here. */
  standing: MemberRole,
  members: Type.Array(strict({ user: Name, role: MemberRole })),
  limit: nullable(Type.Integer()),
  weight: Type.Integer(),
  createdAt: Instant,
})
export type RoomView = Static<typeof RoomView>

export const listRooms = route({
  method: 'GET',
  path: '/api/rooms',
  tag: 'rooms',
  summary: 'The rooms I may see',
  access: 'signed-in',
  query: strict({
    after: Type.Optional(Name),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  }),
  replies: { 200: strict({ rooms: Type.Array(RoomView), after: Type.Optional(Name) }) },
})

export const createRoom = route({
  method: 'POST',
  path: '/api/rooms',
  tag: 'rooms',
  summary: 'Make a room; whoever makes it owns it',
  access: 'signed-in',
  body: strict({ name: Type.String({ maxLength: 256 }), access: Type.Optional(RoomAccess) }),
  replies: { 201: RoomView },
})

export const getRoom = route({
  method: 'GET',
  path: '/api/rooms/{room}',
  tag: 'rooms',
  summary: 'One room',
  access: 'token',
  params: roomParams,
  replies: { 200: RoomView },
})

export const changeRoom = route({
  method: 'PATCH',
  path: '/api/rooms/{room}',
  tag: 'rooms',
  summary: 'Change who sees a room, its limit or its weight',
  access: 'signed-in',
  params: roomParams,
  body: strict({
    access: Type.Optional(RoomAccess),
    limit: Type.Optional(nullable(Type.Integer())),
    weight: Type.Optional(Type.Integer()),
  }),
  replies: { 200: RoomView },
})

const memberParams = strict({ room: Name, user: Name })

export const setMember = route({
  method: 'PUT',
  path: '/api/rooms/{room}/members/{user}',
  tag: 'rooms',
  summary: 'Add a member or change what they may do',
  access: 'signed-in',
  params: memberParams,
  body: strict({ role: MemberRole }),
  replies: { 200: RoomView },
})

export const removeMember = route({
  method: 'DELETE',
  path: '/api/rooms/{room}/members/{user}',
  tag: 'rooms',
  summary: 'Remove a member, or leave',
  access: 'signed-in',
  params: memberParams,
  replies: { 204: null },
})
