// Who may do what in a room. To somebody who may not read it a private room does not exist: the answer is the same
// `room_not_found` as for a name nobody has used, or its existence would leak.

import type { UserName } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Caller } from './caller.ts'
import type { MemberRole, Room } from './room.ts'

/** `report`: to tell of a job one was given; whose job it is, its attempt says. */
export type RoomRight = 'read' | 'submit' | 'manage' | 'report'

/** A pool is given jobs of every room, and sees no more of a room than those. */
export type Standing = MemberRole | 'pool' | 'stranger'

const rightsByStanding: Readonly<Record<Standing, readonly RoomRight[]>> = {
  owner: ['read', 'submit', 'manage', 'report'],
  member: ['read', 'submit', 'report'],
  viewer: ['read', 'report'],
  pool: ['report'],
  stranger: [],
}

/** An admin stands as owner everywhere; an open room treats whoever is not listed as a member. */
export function standingOf(room: Room, who: Caller): Standing {
  if (who.onlyRoom !== undefined && who.onlyRoom !== room.name) return 'stranger'
  const standing = userStanding(room, who)
  return standing === 'owner' && who.onlyRoom !== undefined ? 'member' : standing
}

function userStanding(room: Room, who: Caller): Standing {
  if (who.role === 'pool') return 'pool'
  if (who.role === 'admin') return 'owner'
  const listed = room.members.find((member) => member.user === who.user)
  return listed?.role ?? (room.access === 'open' ? 'member' : 'stranger')
}

export function mayRead(room: Room, who: Caller): boolean {
  return hasRight(room, who, 'read')
}

export function maySubmit(room: Room, who: Caller): boolean {
  return hasRight(room, who, 'submit')
}

export function mayManage(room: Room, who: Caller): boolean {
  return hasRight(room, who, 'manage')
}

/** Whoever submitted a job may cancel it as long as they may submit here, and whoever manages the room any job. */
export function mayCancel(room: Room, who: Caller, submitter: UserName): boolean {
  return mayManage(room, who) || (submitter === who.user && maySubmit(room, who))
}

/** The door of every use-case of a room: the room itself, or why it stays shut. */
export function enterRoom(room: Room | null, who: Caller, right: RoomRight): Room | Refusal {
  if (room !== null && hasRight(room, who, right)) return room
  if (room === null || !mayRead(room, who)) return refuse('room_not_found')
  return refuse('room_forbidden', `A ${standingOf(room, who)} of this room may not ${right}.`, { right })
}

function hasRight(room: Room, who: Caller, right: RoomRight): boolean {
  return rightsByStanding[standingOf(room, who)].includes(right)
}
