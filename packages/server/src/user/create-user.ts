// Makes an account, which takes an admin.

import {
  type AccountRole,
  administrationRefusal,
  type Caller,
  type Deed,
  isRefusal,
  openAccount,
  parseUserName,
  passwordRefusal,
  type Refusal,
  type User,
} from '@millrace/domain'
import { commitAccount, type UserParts } from './commit-account.ts'

export interface NewUser {
  readonly name: string
  readonly password: string
  readonly role: AccountRole
}

export async function createUser(parts: UserParts, who: Caller, request: NewUser): Promise<User | Refusal> {
  const { password, role } = request
  const refusal = administrationRefusal(who) ?? passwordRefusal(password)
  if (refusal) return refusal
  const name = parseUserName(request.name)
  if (isRefusal(name)) return name

  const passwordHash = await parts.hasher.hash(password)
  const deed: Deed = { who, action: 'user.create', target: name, details: { role } }
  const made = await commitAccount(parts, name, deed, ({ user, admins }, now) =>
    openAccount(user, { name, role, passwordHash }, admins, now),
  )

  return made as User | Refusal
}
