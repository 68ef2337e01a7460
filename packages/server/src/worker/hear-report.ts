// What a pull worker reports about its attempt is a sign of life, as its beats are. A pushed one proves its life on the
// channel that gives it jobs, and nowhere else.

import type { AttemptToken, UserName } from '@millrace/domain'
import type { LeaseRenewals } from './lease-renewals.ts'
import { PullChannel } from './pull-channel.ts'
import type { Roster } from './roster.ts'

export interface HearingParts {
  readonly roster: Roster
  readonly renewals: LeaseRenewals
}

/** Asked before the report is applied, after which nobody holds an attempt that ended by it. */
export function hearReport({ roster, renewals }: HearingParts, user: UserName, token: AttemptToken): void {
  const holder = roster.holderOf(token)
  if (!(holder?.channel instanceof PullChannel) || holder.record.worker.user !== user) return
  // What goes wrong is told where it is written; the report itself does not wait for it.
  renewals.heard(holder.record.worker.id, null).catch(() => undefined)
}
