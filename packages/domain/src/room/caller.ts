// Who asks: a user name and a role, both taken from a verified credential at the edge and never from a body.

import type { RoomName, UserName } from '../ids.ts'

export type UserRole = 'guest' | 'user' | 'admin'

export interface Caller {
  readonly user: UserName
  readonly role: UserRole
  /** Set for a worker's token: it reaches this room and nothing else, and manages nothing even there. */
  readonly onlyRoom?: RoomName
}
