// What lets the jobs of an extension wait or go on, by the word of a person: decided by the domain, and written down with
// who did it.

import {
  type Caller,
  type Deed,
  type Extension,
  type ExtensionId,
  extensionKey,
  type Home,
  isRefusal,
  type Refusal,
  type Room,
  refuse,
} from '@millrace/domain'
import { changeExtension, type ExtensionParts } from './change-extension.ts'
import { homeOf, placeInReach } from './extension-record.ts'

/** The extension as it stands from now on. */
export async function steerExtension(
  parts: ExtensionParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
  action: Deed['action'],
  decide: (before: Extension, home: Home, now: number) => Extension | Refusal,
): Promise<Extension | Refusal | null> {
  const place = placeInReach(room, id)
  if (isRefusal(place)) return place
  const deed: Deed = { who, action, target: extensionKey(id) }
  const steer = async (before: Extension | null) => {
    if (before === null) return refuse('extension_not_found')
    const next = decide(before, homeOf(room, id), parts.store.now())
    return isRefusal(next) ? next : { next, invalidates: true }
  }
  const changed = await changeExtension(parts, place, steer, deed)
  return isRefusal(changed) ? changed : changed.next
}
