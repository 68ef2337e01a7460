// Who asks: a user name and a role, both taken from a verified credential at the edge and never from a body.

import type { RoomName, UserName } from '../ids.ts'

/** `pool` is nobody's role but that of a pool of workers: it runs the built-in extensions and does nothing else. */
export type UserRole = 'guest' | 'user' | 'admin' | 'pool'

export interface Caller {
  readonly user: UserName
  readonly role: UserRole
  /** Set for a worker's token: it reaches this room and nothing else, and manages nothing even there. */
  readonly onlyRoom?: RoomName
}
