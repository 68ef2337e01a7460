// Pausing and resuming: the jobs of an extension wait until whoever may decide about it lets them go on.

import {
  type Caller,
  type Deed,
  pauseExtension as decidePause,
  resumeExtension as decideResume,
  type Extension,
  type ExtensionId,
  extensionKey,
  isRefusal,
  type Refusal,
  type Room,
  refuse,
} from '@millrace/domain'
import { changeExtension, type ExtensionParts } from './change-extension.ts'
import { homeOf, placeInReach } from './extension-record.ts'

/** Null when it is as it was asked for. */
export async function setPause(
  parts: ExtensionParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
  wanted: 'pause' | 'resume',
): Promise<Refusal | null> {
  const place = placeInReach(room, id)
  if (isRefusal(place)) return place
  const deed: Deed = { who, action: `extension.${wanted}`, target: extensionKey(id) }
  const decide = async (before: Extension | null) => {
    if (before === null) return refuse('extension_not_found')
    const home = homeOf(room, id)
    const next =
      wanted === 'pause' ? decidePause(before, home, who, parts.store.now()) : decideResume(before, home, who)
    return isRefusal(next) ? next : { next, invalidates: true }
  }
  const changed = await changeExtension(parts, place, decide, deed)
  return isRefusal(changed) ? changed : null
}
