// Gives an account another role or password. Both void every token the user has had so far; whoever holds sockets for
// them verifies again when the event comes by.

import {
  type AccountRole,
  type Caller,
  changeAccount,
  changeRefusal,
  type Deed,
  isRefusal,
  parseUserName,
  passwordRefusal,
  type Refusal,
  refuse,
  type User,
} from '@millrace/domain'
import { commitAccount, type UserParts } from './commit-account.ts'

export interface UserChange {
  readonly role?: AccountRole
  readonly password?: string
}

export async function changeUser(
  parts: UserParts,
  who: Caller,
  userName: string,
  change: UserChange,
): Promise<User | Refusal> {
  const { role, password } = change
  const refusal =
    changeRefusal(who, userName, change) ?? (password === undefined ? null : passwordRefusal(password))
  if (refusal) return refusal
  const name = parseUserName(userName)
  if (isRefusal(name)) return refuse('user_not_found')

  const hashed = password === undefined ? {} : { passwordHash: await parts.hasher.hash(password) }
  const wanted = role === undefined ? hashed : { ...hashed, role }
  const details = { role, ...(password !== undefined && { password: 'changed' }) }
  const deed: Deed = { who, action: 'user.change', target: name, details }
  const changed = await commitAccount(parts, name, deed, ({ user, admins }, now) =>
    user ? changeAccount(user, wanted, admins, now) : refuse('user_not_found'),
  )

  return changed as User | Refusal
}
