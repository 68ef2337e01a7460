// How long what somebody submitted last to an extension is kept for their form. It may be a megabyte for each extension
// and room, and whoever wrote it may never come back.

import { isGuestName } from '../user/user-name.ts'
import type { ExtensionId } from './identity.ts'

const dayMs = 24 * 3_600_000

/** A form that was not used for a season is filled in anew; of what was run since, jobs tell as long as they are kept. */
export const valuesKeptMs: number = 90 * dayMs

/** A guest has a name for one session, of 12 hours if nobody chose another length; nobody else will ever ask for it. */
export const guestValuesKeptMs: number = 2 * dayMs

/** Null: for good. Settings of an account are what its user chose, and there is one of them for each extension. */
export function valuesExpireAt(user: string, { category }: ExtensionId, writtenAt: number): number | null {
  if (isGuestName(user)) return writtenAt + guestValuesKeptMs
  return category === 'settings' ? null : writtenAt + valuesKeptMs
}
