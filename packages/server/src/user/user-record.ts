// An account as the store keeps it, and the record of all admins beside it: a change of either that must not leave the
// server without an admin names the version of both.

import type { AccountDecision, User, UserName } from '@millrace/domain'
import type { RecordMemory } from '../memory/record-memory.ts'
import type { Change, Partition, Put, RecordKey, Store, StoredRecord } from '../ports/store.ts'

export type UserMemory = RecordMemory<User>

export const systemPartition: Partition = 'system'
export const usersList = 'users'

const adminsKey: RecordKey = 'admins/all'

export function userKey(name: string): RecordKey {
  return `user/${name}`
}

export function userOfRecord({ head }: StoredRecord): User {
  return JSON.parse(head) as User
}

/** What a decision about one account rests on. */
export interface AccountStanding {
  readonly name: UserName
  readonly user: User | null
  readonly admins: readonly UserName[]
  readonly version: number
  readonly adminsVersion: number
}

/** Read from the store and not from memory: what is decided on it is committed. */
export async function readAccount(store: Store, name: UserName): Promise<AccountStanding> {
  const [user, admins] = await store.read(systemPartition, [userKey(name), adminsKey])
  return {
    name,
    user: user ? userOfRecord(user) : null,
    admins: admins ? (JSON.parse(admins.head) as UserName[]) : [],
    version: user?.version ?? 0,
    adminsVersion: admins?.version ?? 0,
  }
}

export function changeOfAccount(
  standing: AccountStanding,
  { next, admins }: AccountDecision,
): Required<Pick<Change, 'expect' | 'put' | 'remove' | 'announce'>> {
  const { name, version, adminsVersion } = standing
  const key = userKey(name)
  const puts: Put[] = next ? [{ key, head: JSON.stringify(next), lists: [usersList] }] : []
  const sameAdmins = admins === standing.admins || admins.join() === standing.admins.join()
  if (!sameAdmins) puts.push({ key: adminsKey, expect: adminsVersion, head: JSON.stringify(admins) })
  return {
    expect: { [key]: version },
    put: puts,
    remove: next ? [] : [key],
    announce: [{ subject: key, event: JSON.stringify({ type: 'user:changed' }) }],
  }
}
