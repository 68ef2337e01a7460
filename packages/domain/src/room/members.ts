// Who belongs to a room, and the invariant that somebody always owns it. A change of standing ends the sockets it
// concerns: rights are checked when a socket joins, so an old socket would keep the old rights.

import type { UserName } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller } from './caller.ts'
import { enterRoom } from './rights.ts'
import type { MemberRole, Room } from './room.ts'

export const maxMembers: number = 1_000

export type RoomEffect =
  | { readonly kind: 'disconnect_user'; readonly user: UserName }
  | { readonly kind: 'disconnect_strangers' }

export interface RoomChanged {
  readonly next: Room
  readonly effects: readonly RoomEffect[]
}

export function setMember(room: Room, who: Caller, member: Caller, role: MemberRole): RoomChanged | Refusal {
  const entered = enterRoom(room, who, 'manage')
  if (isRefusal(entered)) return entered
  if (role === 'owner' && member.role === 'guest') return refuse('room_guest_cannot_own')
  const present = room.members.find(({ user }) => user === member.user)
  if (present?.role === role) return { next: room, effects: [] }
  if (present === undefined && room.members.length >= maxMembers) {
    return refuse('room_members_full', `A room has at most ${maxMembers} members.`, { limit: maxMembers })
  }
  if (role !== 'owner' && isLastOwner(room, member.user)) return refuse('room_last_owner')
  const others = room.members.filter(({ user }) => user !== member.user)
  return changed(room, [...others, { user: member.user, role }], member.user)
}

export function removeMember(room: Room, who: Caller, user: UserName): RoomChanged | Refusal {
  const entered = enterRoom(room, who, who.user === user ? 'read' : 'manage')
  if (isRefusal(entered)) return entered
  if (!room.members.some((member) => member.user === user)) return refuse('room_member_not_found')
  if (isLastOwner(room, user)) return refuse('room_last_owner')
  return changed(
    room,
    room.members.filter((member) => member.user !== user),
    user,
  )
}

function isLastOwner(room: Room, user: UserName): boolean {
  const owners = room.members.filter(({ role }) => role === 'owner')
  return owners.length === 1 && owners[0]?.user === user
}

function changed(room: Room, members: Room['members'], user: UserName): RoomChanged {
  return { next: { ...room, members }, effects: [{ kind: 'disconnect_user', user }] }
}
