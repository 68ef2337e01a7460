// Who is in a room now.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Name, roomParams, strict } from '../shapes.ts'

export const PresenceView = strict({
  room: Name,
  /** By name; the first 100 of them. */
  people: Type.Array(strict({ user: Name, sessions: Count })),
  /** How many they are. */
  count: Count,
})
export type PresenceView = Static<typeof PresenceView>

export const getPresence = route({
  method: 'GET',
  path: '/api/rooms/{room}/presence',
  tag: 'rooms',
  summary: 'Who is in this room now, at whichever replica, and with how many sessions',
  access: 'token',
  params: roomParams,
  replies: { 200: PresenceView },
})
