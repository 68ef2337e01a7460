// Signing in with name and password. Whether the account does not exist, has no password or has another one makes no
// difference to the answer, nor a useful one to the time it takes. Read from the store and not from memory: a password
// that was changed on another replica must not work here for a moment longer.

import { isRefusal, parseUserName, type Refusal, refuse, type User } from '@millrace/domain'
import type { FailedSignIns } from '../audit/failed-sign-ins.ts'
import { recordDeed } from '../audit/record-deed.ts'
import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { Store } from '../ports/store.ts'
import { readAccount, systemPartition } from './user-record.ts'

export interface SignInParts {
  readonly store: Store
  readonly hasher: PasswordHasher
  readonly failedSignIns: FailedSignIns
}

export async function signIn(
  { store, hasher, failedSignIns }: SignInParts,
  userName: string,
  password: string,
): Promise<User | Refusal> {
  const name = parseUserName(userName)
  const user = isRefusal(name) ? null : (await readAccount(store, name)).user

  const fits = await hasher.matches(user?.passwordHash ?? null, password)

  if (!user || !fits) {
    await failedSignIns.note('password', user?.name ?? null)
    return refuse('credentials_wrong')
  }
  const who = { user: user.name, role: user.role }
  await recordDeed(store, systemPartition, {
    who,
    action: 'sign_in',
    target: user.name,
    details: { by: 'password' },
  })
  return user
}
