// Makes the first admin from the configuration. Later starts leave all accounts as they are: a password that was changed
// stays changed, and an admin who was removed does not come back.

import {
  type Deed,
  isRefusal,
  openAccount,
  parseUserName,
  passwordRefusal,
  type Refusal,
} from '@millrace/domain'
import { commitAccount, type UserParts } from './commit-account.ts'
import { readAccount } from './user-record.ts'

export interface FirstAdmin {
  readonly name: string
  readonly password: string
}

export async function ensureAdmin(
  parts: UserParts,
  first: FirstAdmin,
): Promise<'created' | 'kept' | Refusal> {
  const name = parseUserName(first.name)
  if (isRefusal(name)) return name
  const refusal = passwordRefusal(first.password)
  if (refusal) return refusal
  const { admins: earlier } = await readAccount(parts.store, name)
  if (earlier.length > 0) return 'kept'

  const passwordHash = await parts.hasher.hash(first.password)
  let outcome: 'created' | 'kept' = 'created'
  const details = { role: 'admin', by: 'configuration' }
  const deed: Deed = { who: null, action: 'user.create', target: name, details }
  const made = await commitAccount(parts, name, deed, ({ user, admins }, now) => {
    // Another replica that starts at the same time may have been faster.
    outcome = admins.length > 0 ? 'kept' : 'created'
    if (outcome === 'kept') return { next: user, admins }
    return openAccount(user, { name, role: 'admin', passwordHash }, admins, now)
  })

  return isRefusal(made) ? made : outcome
}
