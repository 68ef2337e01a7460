// Who asks: a user name and a role, both taken from a verified credential at the edge and never from a body.

import type { UserName } from '../ids.ts'

export type UserRole = 'guest' | 'user' | 'admin'

export interface Caller {
  readonly user: UserName
  readonly role: UserRole
}
