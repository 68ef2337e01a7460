// A person has looked and says that an extension is mended: its breaker closes, and what was counted is forgotten.

import {
  type Caller,
  closedBreaker,
  type ExtensionId,
  isRefusal,
  type Refusal,
  type Room,
  resetBreakerOf,
} from '@millrace/domain'
import { type BreakersParts, changeOf } from './breakers.ts'
import type { ExtensionParts } from './change-extension.ts'
import { steerExtension } from './steer-extension.ts'

export interface ResetParts extends ExtensionParts, Pick<BreakersParts, 'onChanged'> {}

/** Null when it is closed now. */
export async function resetBreaker(
  parts: ResetParts,
  who: Caller,
  room: Room,
  id: ExtensionId,
): Promise<Refusal | null> {
  const reset = await steerExtension(parts, who, room, id, 'extension.reset_breaker', (before, home, now) =>
    resetBreakerOf(before, home, who, now),
  )
  if (isRefusal(reset)) return reset
  if (reset) parts.onChanged(changeOf(reset, closedBreaker, parts.store.now()))
  return null
}
