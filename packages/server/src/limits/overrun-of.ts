// What whoever asks for something has used up, at whichever door they ask.

import type { Identity, Refusal } from '@millrace/domain'
import type { EdgeLimits } from './edge-limits.ts'

export interface Brought {
  readonly bytes: number
  /** New jobs have to wait where there are too many; nothing else has to. */
  readonly bringsJobs: boolean
}

/** Null: there is room for it, and it has been held for as long as it had to. */
export async function overrunOf(
  { requests, intake, uploads }: EdgeLimits,
  { tokenId, user }: Pick<Identity, 'tokenId' | 'user'>,
  { bytes, bringsJobs }: Brought,
  now: number,
): Promise<Refusal | null> {
  return (
    requests.spend(tokenId, now) ?? (bringsJobs ? intake.busy() : null) ?? (await uploads.admit(user, bytes))
  )
}
