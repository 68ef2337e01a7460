// Asks every pushed worker for a sign of life, in its turn, on the channel over which it gets its jobs. Only the answer
// renews the lease; a worker that is alive but deaf does not answer.

import { beatIntervalMs, isRefusal, type Refusal, type Vitals } from '@millrace/domain'
import type { LeaseRenewals } from '../worker/lease-renewals.ts'
import type { Roster, Stationed } from '../worker/roster.ts'

export function askForBeats(roster: Roster, renewals: LeaseRenewals, now: number): void {
  for (const stationed of roster.all()) {
    const { channel } = stationed
    if (now - stationed.askedAt < beatIntervalMs || !channel.ask) continue
    // Whoever can be reached is asked, whatever its record says: the news of an old connection's end may have been
    // written after the new one had begun, and only an answer sets that right.
    if (channel.ready() === 0) continue
    stationed.askedAt = now
    channel.ask((vitals) => hear(roster, renewals, stationed, vitals))
  }
}

/** One that was declared lost meanwhile is shown the door: only by registering anew can it be given jobs again. */
function hear(
  roster: Roster,
  renewals: LeaseRenewals,
  { record, channel }: Stationed,
  vitals: Vitals | null,
): void {
  const { id } = record.worker
  const settle = (lease: number | Refusal): void => {
    if (isRefusal(lease) && roster.get(id)?.channel === channel) roster.leave(id)
  }
  // What goes wrong is told where it is written; an unanswered beat is simply not heard.
  renewals.heard(id, vitals).then(settle, () => undefined)
}
