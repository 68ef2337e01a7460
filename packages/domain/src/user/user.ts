// What an account is, and who makes, changes and removes one. The names of all admins are handed in and given back with
// each decision, so that whoever commits both together never leaves the server without an admin.

import type { UserName } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import { parseUserName } from './user-name.ts'

/** Guests and pools have no account. */
export type AccountRole = Exclude<UserRole, 'guest' | 'pool'>

export interface User {
  readonly name: UserName
  readonly role: AccountRole
  /** Null: nobody signs in with a password, only with a login code. */
  readonly passwordHash: string | null
  /** Every token names it, and one that names another is void: it grows with each change of role or password. */
  readonly tokensFrom: number
  readonly createdAt: number
}

export interface NewAccount {
  readonly name: string
  readonly role: AccountRole
  readonly passwordHash: string | null
}

export interface AccountChange {
  readonly role?: AccountRole
  readonly passwordHash?: string
}

export interface AccountDecision {
  /** Null: the account is removed. */
  readonly next: User | null
  readonly admins: readonly UserName[]
}

/** Whether somebody may make, remove and list accounts and give roles. */
export function administrationRefusal(who: Caller): Refusal | null {
  if (who.onlyRoom !== undefined) return refuse('user_forbidden', 'A token for one room changes no accounts.')
  return who.role === 'admin' ? null : refuse('user_forbidden')
}

/** Tokens of an earlier user of that name stay void, because this account's count from its making. */
export function openAccount(
  existing: User | null,
  account: NewAccount,
  admins: readonly UserName[],
  now: number,
): AccountDecision | Refusal {
  const name = parseUserName(account.name)
  if (isRefusal(name)) return name
  if (existing !== null) return refuse('user_name_taken')
  const { role, passwordHash } = account
  const next: User = { name, role, passwordHash, tokensFrom: now, createdAt: now }
  return { next, admins: withRole(admins, name, role) }
}

/** A name that does not exist is refused only to those who may know; to others it looks like any other account. */
export function changeRefusal(
  who: Caller,
  name: string,
  change: Pick<AccountChange, 'role'>,
): Refusal | null {
  if (who.onlyRoom !== undefined) return refuse('user_forbidden', 'A token for one room changes no accounts.')
  if (who.role === 'admin') return null
  if (who.role !== 'user' || who.user !== name) return refuse('user_forbidden')
  return change.role === undefined
    ? null
    : refuse('user_forbidden', 'Only an admin gives roles; a user changes the own password.')
}

export function changeAccount(
  user: User,
  change: AccountChange,
  admins: readonly UserName[],
  now: number,
): AccountDecision | Refusal {
  const { role = user.role, passwordHash = user.passwordHash } = change
  if (role === user.role && change.passwordHash === undefined) {
    return { next: user, admins }
  }
  const left = withRole(admins, user.name, role)
  if (user.role === 'admin' && left.length === 0) return refuse('user_last_admin')
  // Grows also within one millisecond or when the clock went back, so that no earlier token comes to life.
  const tokensFrom = Math.max(now, user.tokensFrom + 1)
  return { next: { ...user, role, passwordHash, tokensFrom }, admins: left }
}

export function closeAccount(user: User, admins: readonly UserName[]): AccountDecision | Refusal {
  const left = admins.filter((name) => name !== user.name)
  if (user.role === 'admin' && left.length === 0) return refuse('user_last_admin')
  return { next: null, admins: left }
}

function withRole(admins: readonly UserName[], name: UserName, role: AccountRole): readonly UserName[] {
  const others = admins.filter((admin) => admin !== name)
  if (role !== 'admin') return others
  return others.length === admins.length ? [...admins, name] : admins
}
