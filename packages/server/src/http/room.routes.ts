// Rooms and their members.

import type { Caller, Room } from '@millrace/domain'
import { type RoomView, routes } from '@millrace/protocol'
import { changeRoom } from '../room/change-room.ts'
import { createRoom } from '../room/create-room.ts'
import { listRooms } from '../room/list-rooms.ts'
import { removeMember, setMember } from '../room/room-members.ts'
import { openRoom } from '../room/rooms.ts'
import { visibleStanding } from '../room/visible-standing.ts'
import type { ServerParts } from '../server-parts.ts'
import type { AddRoute } from './add-routes.ts'
import { answer } from './route-handler.ts'

const roomsPerPage = 100

export function roomRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.listRooms, async ({ query, who }) => {
    const page = await listRooms(parts, who, query.after, query.limit ?? roomsPerPage)
    if ('refused' in page) return page
    const { rooms, after } = page
    return answer(200, {
      rooms: rooms.map((room) => roomView(room, who)),
      ...(after !== undefined && { after }),
    })
  })
  add(routes.createRoom, async ({ body, who }) => {
    const made = await createRoom(parts, who, body)
    return 'refused' in made ? made : answer(201, roomView(made.room, who))
  })
  add(routes.getRoom, async ({ params, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'read')
    return 'refused' in room ? room : answer(200, roomView(room, who))
  })
  add(routes.changeRoom, async ({ params, body, who }) => {
    const changed = await changeRoom(parts, who, params.room, body)
    return 'refused' in changed ? changed : answer(200, roomView(changed.room, who))
  })
  add(routes.setMember, async ({ params, body, who }) => {
    const changed = await setMember(parts, who, params.room, params.user, body.role)
    return 'refused' in changed ? changed : answer(200, roomView(changed.room, who))
  })
  add(routes.removeMember, async ({ params, who }) => {
    const changed = await removeMember(parts, who, params.room, params.user)
    return 'refused' in changed ? changed : answer(204)
  })
  add(routes.getPresence, async ({ params, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'read')
    return 'refused' in room ? room : answer(200, await parts.presence.in(room.name))
  })
}

function roomView(room: Room, who: Caller): RoomView {
  const { name, access, members, settings, createdAt } = room
  return {
    name,
    access,
    standing: visibleStanding(room, who),
    members: members.map(({ user, role }) => ({ user, role })),
    limit: settings.limit,
    weight: settings.weight,
    createdAt,
  }
}
