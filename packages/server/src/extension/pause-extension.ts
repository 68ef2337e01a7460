// Pausing and resuming: the jobs of an extension wait until whoever may decide about it lets them go on.

import {
  type Caller,
  type ExtensionId,
  isRefusal,
  pauseExtension,
  type Refusal,
  type Room,
  resumeExtension,
} from '@millrace/domain'
import type { ExtensionParts } from './change-extension.ts'
import { steerExtension } from './steer-extension.ts'

/** Null when it is as it was asked for. */
export async function setPause(
  parts: ExtensionParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
  wanted: 'pause' | 'resume',
): Promise<Refusal | null> {
  const steered = await steerExtension(parts, who, room, id, `extension.${wanted}`, (before, home, now) =>
    wanted === 'pause' ? pauseExtension(before, home, who, now) : resumeExtension(before, home, who),
  )
  return isRefusal(steered) ? steered : null
}
