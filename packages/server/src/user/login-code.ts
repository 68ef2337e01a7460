// Codes that sign somebody in once: made here, used here. The store holds only a code's digest, and the commit that uses
// one removes its record with its version, so of many who try at once one gets in.

import {
  type AccountRole,
  type Deed,
  isRefusal,
  openAccount,
  parseUserName,
  type Refusal,
  refuse,
  type User,
  type UserName,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import type { FailedSignIns } from '../audit/failed-sign-ins.ts'
import { newId } from '../new-id.ts'
import type { RandomCodes } from '../ports/random-codes.ts'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'
import type { UserParts } from './commit-account.ts'
import { changeOfAccount, readAccount, systemPartition, userKey } from './user-record.ts'

export interface LoginCode {
  readonly code: string
  readonly expiresAt: number
}

interface CodeRecord {
  readonly user: UserName
  readonly role: AccountRole
  readonly expiresAt: number
}

export type LoginCodeParts = Omit<UserParts, 'hasher'> & {
  readonly codes: RandomCodes
  readonly failedSignIns: FailedSignIns
}

export const loginCodePrefix = 'login-code/'

/** The role is for an account that has to be made; one that exists keeps its own. */
export async function createLoginCode(
  { store, codes }: Pick<LoginCodeParts, 'store' | 'codes'>,
  userName: string,
  role: AccountRole,
  ttlSeconds: number,
): Promise<LoginCode | Refusal> {
  const user = parseUserName(userName)
  if (isRefusal(user)) return user

  const code = codes.code()
  const now = store.now()
  const expiresAt = now + ttlSeconds * 1_000
  const record: CodeRecord = { user, role, expiresAt }
  const put = { key: keyOf(codes, code), expect: 0, head: JSON.stringify(record), dueAt: expiresAt }
  const { outcome } = await store.commit({ id: newId(now), partition: systemPartition, put: [put] })
  if (outcome === 'stale') throw new Error('a code of 256 random bits was drawn twice')

  return { code, expiresAt }
}

export async function useLoginCode(parts: LoginCodeParts, code: string): Promise<User | Refusal> {
  const { store, users, codes, failedSignIns } = parts
  const key = keyOf(codes, code)
  for (;;) {
    const [record] = await store.read(systemPartition, [key])
    const now = store.now()
    const entry = record ? (JSON.parse(record.head) as CodeRecord) : null
    if (!record || !entry || now >= entry.expiresAt) {
      await failedSignIns.note('code', null)
      return refuse('credentials_wrong', 'The code is wrong, was used already or has expired.')
    }

    const signedIn = await useRecord(store, record, entry, now)
    users.forget(systemPartition, userKey(entry.user))

    if (signedIn !== 'stale') return signedIn
  }
}

async function useRecord(
  store: Store,
  { key, version }: StoredRecord,
  { user: name, role }: CodeRecord,
  now: number,
): Promise<User | Refusal | 'stale'> {
  const standing = await readAccount(store, name)
  const used = { id: newId(now), partition: systemPartition, expect: { [key]: version }, remove: [key] }
  if (standing.user) {
    const who = { user: name, role: standing.user.role }
    const { outcome } = await store.commit(recorded(used, signInByCode(who, false), now))
    return outcome === 'stale' ? 'stale' : standing.user
  }
  const opened = openAccount(null, { name, role, passwordHash: null }, standing.admins, now)
  if (isRefusal(opened)) return opened
  const account = changeOfAccount(standing, opened)
  const expect = { ...used.expect, ...account.expect }
  const change = { ...used, ...account, expect, remove: used.remove }
  const { outcome } = await store.commit(recorded(change, signInByCode({ user: name, role }, true), now))
  return outcome === 'stale' || !opened.next ? 'stale' : opened.next
}

function signInByCode(who: NonNullable<Deed['who']>, isNew: boolean): Deed {
  const details = { by: 'code', ...(isNew && { account: 'made', role: who.role }) }
  return { who, action: 'sign_in', target: who.user, details }
}

function keyOf(codes: RandomCodes, code: string): RecordKey {
  return `${loginCodePrefix}${codes.digest(code)}`
}
