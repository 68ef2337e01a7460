// Who belongs to a room. Whether a name is a user's is asked only of those who may manage the room: to others the answer
// would tell who has an account.

import {
  type Caller,
  type Deed,
  setMember as decideMember,
  removeMember as decideRemoval,
  isRefusal,
  type MemberRole,
  type Refusal,
  refuse,
  type UserName,
  type UserRole,
} from '@millrace/domain'
import { type ChangedRoom, decideOnRoom, type RoomParts } from './change-room.ts'
import { openRoom } from './rooms.ts'

/** Null: there is no such user. */
export type RoleOfUser = (name: string) => Promise<UserRole | null>

export async function setMember(
  parts: RoomParts & { readonly roleOfUser: RoleOfUser },
  who: Caller,
  name: string,
  user: string,
  role: MemberRole,
): Promise<ChangedRoom | Refusal> {
  const opened = await openRoom(parts.rooms, name, who, 'manage')
  if (isRefusal(opened)) return opened
  const userRole = await parts.roleOfUser(user)
  if (userRole === null) return refuse('user_not_found')

  const member = { user: user as UserName, role: userRole }
  const deed: Deed = { who, action: 'member.set', target: user, details: { role } }
  return decideOnRoom(parts, name, deed, (room) => decideMember(room, who, member, role))
}

export function removeMember(
  parts: RoomParts,
  who: Caller,
  name: string,
  user: string,
): Promise<ChangedRoom | Refusal> {
  const deed: Deed = { who, action: 'member.remove', target: user }
  return decideOnRoom(parts, name, deed, (room) => decideRemoval(room, who, user as UserName))
}
