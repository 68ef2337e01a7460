// Who may serve an extension. Whoever registered it first owns it; a worker of somebody else would see the data of every
// job, so it needs the word of the owner or of those who run the room (for a global one: an admin).

import type { UserName } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import { enterRoom, mayManage } from '../room/rights.ts'
import type { Extension, Home } from './extension.ts'

export const maxAdmitted: number = 100

export function mayAdmit(extension: Extension, home: Home, who: Caller): boolean {
  if (extension.owner === who.user) return true
  if (home !== null) return mayManage(home, who)
  return who.role === 'admin' && who.onlyRoom === undefined
}

/** Every pool brings the built-in extensions as they are shipped, whoever was the first to register them. */
export function setsPolicy(extension: Extension, home: Home, who: Caller): boolean {
  return mayAdmit(extension, home, who) || (who.role === 'pool' && extension.id.scope === 'builtin')
}

export function mayServe(extension: Extension, home: Home, who: Caller): boolean {
  return setsPolicy(extension, home, who) || extension.admitted.includes(who.user)
}

export function admitUser(
  extension: Extension,
  home: Home,
  who: Caller,
  user: UserName,
): Extension | Refusal {
  const refusal = admissionRefusal(extension, home, who)
  if (refusal !== null) return refusal
  if (extension.owner === user || extension.admitted.includes(user)) return extension
  if (extension.admitted.length >= maxAdmitted) {
    const message = `An extension admits at most ${maxAdmitted} users.`
    return refuse('extension_admissions_full', message, { limit: maxAdmitted })
  }
  return { ...extension, admitted: [...extension.admitted, user] }
}

/** The caller withdraws the user's workers; nobody can dismiss the owner, who is not on the list. */
export function dismissUser(
  extension: Extension,
  home: Home,
  who: Caller,
  user: UserName,
): Extension | Refusal {
  const refusal = admissionRefusal(extension, home, who)
  if (refusal !== null) return refusal
  if (!extension.admitted.includes(user)) return extension
  return { ...extension, admitted: extension.admitted.filter((admitted) => admitted !== user) }
}

function admissionRefusal(extension: Extension, home: Home, who: Caller): Refusal | null {
  const entered = home === null ? null : enterRoom(home, who, 'read')
  if (isRefusal(entered)) return entered
  if (who.onlyRoom === undefined && mayAdmit(extension, home, who)) return null
  return refuse(
    'extension_forbidden',
    'Only its owner and those who run the room decide who serves an extension.',
  )
}
