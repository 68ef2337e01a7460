// All accounts, by name, for an admin.

import { administrationRefusal, type Caller, type Refusal, type User } from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { systemPartition, userOfRecord, usersList } from './user-record.ts'

const pageSize = 500

export async function listUsers(store: Store, who: Caller): Promise<readonly User[] | Refusal> {
  const refusal = administrationRefusal(who)
  if (refusal) return refusal

  const users: User[] = []
  for (let after: string | undefined; ; ) {
    const page = await store.list({
      partition: systemPartition,
      lists: [usersList],
      order: 'oldest',
      limit: pageSize,
      ...(after !== undefined && { after }),
    })
    users.push(...page.map(userOfRecord))
    after = page.at(-1)?.key
    if (page.length < pageSize) return users
  }
}
