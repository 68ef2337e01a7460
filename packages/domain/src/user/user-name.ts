// What a user may be called. Words that mean somebody else to a reader or to the store are kept back, and names that
// begin like a guest's belong to guests, who have no account.

import type { UserName } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'

const userNameMaxLength = 64

const allowed = /^[a-z0-9][a-z0-9._-]*$/
const guestPrefix = 'guest-'
const guestSuffix = /^[a-z0-9]{8}$/

const reserved: Readonly<Record<string, readonly string[]>> = {
  'stands for the server itself': ['millrace', 'server', 'system'],
  'stands for the pools of workers': ['pool'],
  'stands for something else than one user': [
    'all',
    'anonymous',
    'any',
    'everyone',
    'guest',
    'me',
    'new',
    'nobody',
    'none',
    'null',
    'self',
    'undefined',
    'users',
  ],
}

/** Whose workers those of a pool are: they run the same extensions for the same rooms, so they are one user's. */
export const poolUser: UserName = 'pool' as UserName

const reasonByWord: ReadonlyMap<string, string> = new Map(
  Object.entries(reserved).flatMap(([reason, words]) => words.map((word) => [word, reason] as const)),
)

export const reservedUserNames: readonly string[] = [...reasonByWord.keys()]

export function parseUserName(text: string): UserName | Refusal {
  if (text.length > userNameMaxLength) {
    return refuse('user_name_invalid', `A user's name has at most ${userNameMaxLength} characters.`)
  }
  if (!allowed.test(text)) {
    return refuse(
      'user_name_invalid',
      "A user's name consists of lower-case letters, digits, '-', '_' and '.', and begins with a letter or a digit.",
    )
  }
  if (text.startsWith(guestPrefix)) {
    return refuse('user_name_reserved', `Names that begin with '${guestPrefix}' belong to guests.`)
  }
  const reason = reasonByWord.get(text)
  if (reason !== undefined) return refuse('user_name_reserved', `'${text}' ${reason} and cannot name a user.`)
  return text as UserName
}

/** The suffix is eight lower-case letters and digits, drawn by the caller. */
export function guestName(suffix: string): UserName {
  if (!guestSuffix.test(suffix)) throw new TypeError(`'${suffix}' cannot end the name of a guest`)
  return `${guestPrefix}${suffix}` as UserName
}

export function isGuestName(name: string): boolean {
  return name.startsWith(guestPrefix) && guestSuffix.test(name.slice(guestPrefix.length))
}
