// Whose workers may serve an extension beside its owner's.

import {
  type Caller,
  type Deed,
  admitUser as decideAdmission,
  dismissUser as decideDismissal,
  type Extension,
  type ExtensionId,
  extensionKey,
  type Home,
  isRefusal,
  liveWorkers,
  mayServe,
  type Refusal,
  type Room,
  refuse,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import type { RoleOfUser } from '../room/room-members.ts'
import { changeExtension, type ExtensionParts } from './change-extension.ts'
import { homeOf, placeInReach } from './extension-record.ts'

export interface AdmissionParts extends ExtensionParts {
  readonly roleOfUser: RoleOfUser
}

export interface DismissalParts extends AdmissionParts {
  readonly workersOf: (user: UserName) => Promise<readonly WorkerId[]>
}

export interface Dismissed {
  readonly extension: Extension
  /** Those of the user that serve it: the caller withdraws them, and tells them. */
  readonly withdraw: readonly WorkerId[]
}

export function admitUser(
  parts: AdmissionParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
  user: string,
): Promise<Extension | Refusal> {
  const deed = admissionDeed(who, 'extension.admit', id, user)
  return decideOnAdmission(parts, room, id, deed, async (extension, home) => {
    const next = decideAdmission(extension, home, who, user as UserName)
    if (isRefusal(next)) return next
    // Asked last: only those who may admit learn whether there is such an account.
    return (await parts.roleOfUser(user)) === null ? refuse('user_not_found') : next
  })
}

/** Somebody who is off the list but may serve for another reason, as an owner of the room, goes on serving. */
export async function dismissUser(
  parts: DismissalParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
  user: string,
): Promise<Dismissed | Refusal> {
  const name = user as UserName
  const deed = admissionDeed(who, 'extension.dismiss', id, user)
  const extension = await decideOnAdmission(parts, room, id, deed, async (before, home) =>
    decideDismissal(before, home, who, name),
  )
  if (isRefusal(extension)) return extension

  const role = (await parts.roleOfUser(user)) ?? 'guest'
  if (mayServe(extension, homeOf(room, id), { user: name, role })) return { extension, withdraw: [] }
  const serving = liveWorkers(extension)
  const workers = await parts.workersOf(name)
  return { extension, withdraw: workers.filter((worker) => serving.includes(worker)) }
}

function admissionDeed(who: Caller, action: Deed['action'], id: ExtensionId, user: string): Deed {
  return { who, action, target: extensionKey(id), details: { user } }
}

async function decideOnAdmission(
  parts: ExtensionParts,
  room: Room,
  id: ExtensionId,
  deed: Deed,
  decide: (extension: Extension, home: Home) => Promise<Extension | Refusal>,
): Promise<Extension | Refusal> {
  const place = placeInReach(room, id)
  if (isRefusal(place)) return place
  const decided = async (before: Extension | null) => {
    if (before === null) return refuse('extension_not_found')
    const next = await decide(before, homeOf(room, id))
    return isRefusal(next) ? next : { next, invalidates: false }
  }
  const changed = await changeExtension(parts, place, decided, deed)
  if (isRefusal(changed)) return changed
  return changed.next ?? refuse('extension_not_found')
}
