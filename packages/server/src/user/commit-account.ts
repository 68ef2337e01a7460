// The one way by which an account changes: read it with the list of admins, let the domain decide, commit both with
// their event, and begin again when somebody else was faster.

import {
  type AccountDecision,
  type Deed,
  isRefusal,
  type Refusal,
  type User,
  type UserName,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { newId } from '../new-id.ts'
import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { Store } from '../ports/store.ts'
import {
  type AccountStanding,
  changeOfAccount,
  readAccount,
  systemPartition,
  type UserMemory,
  userKey,
} from './user-record.ts'

export interface UserParts {
  readonly store: Store
  readonly users: UserMemory
  readonly hasher: PasswordHasher
}

export type DecideAccount = (standing: AccountStanding, now: number) => AccountDecision | Refusal

/** Answers the account as it stands afterwards; null when it was removed. */
export async function commitAccount(
  { store, users }: UserParts,
  name: UserName,
  deed: Deed,
  decide: DecideAccount,
): Promise<User | null | Refusal> {
  for (;;) {
    const standing = await readAccount(store, name)

    const now = store.now()
    const decision = decide(standing, now)
    if (isRefusal(decision) || decision.next === standing.user)
      return isRefusal(decision) ? decision : standing.user

    const change = { id: newId(now), partition: systemPartition, ...changeOfAccount(standing, decision) }
    const { outcome } = await store.commit(recorded(change, deed, now))
    users.forget(systemPartition, userKey(name))

    if (outcome === 'committed') return decision.next
  }
}
