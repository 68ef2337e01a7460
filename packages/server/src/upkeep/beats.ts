// Asks every pushed worker for a sign of life, in its turn, on the channel over which it gets its jobs. Only the answer
// renews the lease; a worker that is alive but deaf does not answer.

import { beatIntervalMs } from '@millrace/domain'
import type { LeaseRenewals } from '../worker/lease-renewals.ts'
import type { Roster } from '../worker/roster.ts'

export function askForBeats(roster: Roster, renewals: LeaseRenewals, now: number): void {
  for (const stationed of roster.all()) {
    const { record, channel } = stationed
    if (now - stationed.askedAt < beatIntervalMs || !channel.ask) continue
    if (record.worker.lease.presence !== 'connected') continue
    stationed.askedAt = now
    // What goes wrong is told where it is written; an unanswered beat is simply not heard.
    channel.ask((vitals) => void renewals.heard(record.worker.id, vitals).catch(() => undefined))
  }
}
