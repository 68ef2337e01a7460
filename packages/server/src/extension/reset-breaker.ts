// A person has looked and says that an extension is mended: its breaker closes, and what was counted is forgotten.

import {
  type Caller,
  closedBreaker,
  type Deed,
  resetBreakerOf as decideReset,
  type Extension,
  type ExtensionId,
  extensionKey,
  isRefusal,
  type Refusal,
  type Room,
  refuse,
} from '@millrace/domain'
import { type BreakersParts, changeOf } from './breakers.ts'
import { changeExtension, type ExtensionParts } from './change-extension.ts'
import { homeOf, placeInReach } from './extension-record.ts'

export interface ResetParts extends ExtensionParts, Pick<BreakersParts, 'onChanged'> {}

/** Null when it is closed now. */
export async function resetBreaker(
  parts: ResetParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
): Promise<Refusal | null> {
  const place = placeInReach(room, id)
  if (isRefusal(place)) return place
  const deed: Deed = { who, action: 'extension.reset_breaker', target: extensionKey(id) }
  const decide = async (before: Extension | null) => {
    if (before === null) return refuse('extension_not_found')
    const next = decideReset(before, homeOf(room, id), who, parts.store.now())
    return isRefusal(next) ? next : { next, invalidates: true }
  }
  const changed = await changeExtension(parts, place, decide, deed)
  if (isRefusal(changed)) return changed
  if (changed.next) parts.onChanged(changeOf(changed.next, closedBreaker, parts.store.now()))
  return null
}
