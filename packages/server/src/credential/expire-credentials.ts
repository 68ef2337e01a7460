// Removes records of credentials whose time is over: revocations, login codes, and whose a token was. Upkeep hands in
// what the store names as due; other keys are none of its business and are left to others.

import { newId } from '../new-id.ts'
import type { DueRecord, Store } from '../ports/store.ts'
import { loginCodePrefix } from '../user/login-code.ts'
import { systemPartition } from '../user/user-record.ts'
import { revokedPrefix } from './credentials.ts'
import { tokenPrefix } from './room-token.ts'

const prefixes = [revokedPrefix, loginCodePrefix, tokenPrefix]

function isCredentialRecord({ partition, key }: DueRecord): boolean {
  return partition === systemPartition && prefixes.some((prefix) => key.startsWith(prefix))
}

/** None of them is ever written again, so removing one twice or late harms nobody. */
export async function expireCredentials(store: Store, due: readonly DueRecord[]): Promise<number> {
  const remove = due.filter(isCredentialRecord).map(({ key }) => key)
  if (remove.length === 0) return 0
  await store.commit({ id: newId(store.now()), partition: systemPartition, remove })
  return remove.length
}
