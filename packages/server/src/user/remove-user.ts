// Removes an account, and with it every token of its user. What the user made (jobs, rooms) stays.

import {
  administrationRefusal,
  type Caller,
  closeAccount,
  type Deed,
  isRefusal,
  parseUserName,
  type Refusal,
  refuse,
} from '@millrace/domain'
import { commitAccount, type UserParts } from './commit-account.ts'

export async function removeUser(parts: UserParts, who: Caller, userName: string): Promise<null | Refusal> {
  const refusal = administrationRefusal(who)
  if (refusal) return refusal
  const name = parseUserName(userName)
  if (isRefusal(name)) return refuse('user_not_found')

  const deed: Deed = { who, action: 'user.remove', target: name }
  const removed = await commitAccount(parts, name, deed, ({ user, admins }) =>
    user ? closeAccount(user, admins) : refuse('user_not_found'),
  )

  return isRefusal(removed) ? removed : null
}
