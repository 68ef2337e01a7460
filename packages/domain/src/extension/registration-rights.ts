// Who may register what. Reserved names and scopes come first, then the room, then the extension itself: whoever may not
// see the room must not learn from the refusal what is in it.

import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import { enterRoom, mayManage } from '../room/rights.ts'
import { mayServe } from './admission.ts'
import type { Extension, Home } from './extension.ts'
import { type ExtensionId, type ExtensionName, isNamedAmong } from './identity.ts'

export interface RegistrationPlace {
  readonly id: ExtensionId
  readonly home: Home
}

export interface KnownNames {
  readonly builtins: readonly ExtensionName[]
  readonly globals: readonly ExtensionName[]
}

export function registrationRefusal(
  existing: Extension | null,
  place: RegistrationPlace,
  who: Caller,
  names: KnownNames,
): Refusal | null {
  const refusal =
    place.id.scope === 'room' ? roomRefusal(existing, place, who, names) : wideRefusal(place, who, names)
  if (refusal !== null) return refusal
  if (existing === null || mayServe(existing, place.home, who)) return null
  return refuse(
    'extension_forbidden',
    `${existing.id.name} belongs to ${existing.owner}, who can admit your workers, as can those who run the room.`,
    { owner: existing.owner },
  )
}

/** Scope global and scope built-in reach into every room; a pool serves the built-in ones and nothing else. */
function wideRefusal({ id }: RegistrationPlace, who: Caller, names: KnownNames): Refusal | null {
  const mayReachEveryRoom = who.role === 'admin' || (who.role === 'pool' && id.scope === 'builtin')
  if (!mayReachEveryRoom || who.onlyRoom !== undefined) {
    return refuse('extension_forbidden', `An extension of scope ${id.scope} takes role admin.`, {
      role: 'admin',
    })
  }
  const builtin = isNamedAmong(id, names.builtins)
  if (id.scope === 'builtin') {
    return builtin ? null : refuse('extension_forbidden', `${id.name} is not among the built-in extensions.`)
  }
  return builtin ? refuse('extension_name_reserved') : null
}

function roomRefusal(
  existing: Extension | null,
  { id, home }: RegistrationPlace,
  who: Caller,
  names: KnownNames,
): Refusal | null {
  const room = enterRoom(home, who, 'submit')
  if (isRefusal(room)) return room
  if (isNamedAmong(id, names.builtins)) return refuse('extension_name_reserved')
  if (existing !== null || mayManage(room, who) || !isNamedAmong(id, names.globals)) return null
  return refuse(
    'extension_forbidden',
    'Only an owner of the room may give an extension the name of a global one.',
  )
}
