// The limits that stand at the doors, before anything is read or asked of the store.

import type { Rate } from '@millrace/domain'
import type { Intake } from './intake.ts'
import { RateBook } from './rate-book.ts'
import { SignInGuard, type SignInRules } from './sign-in-guard.ts'

export interface EdgeRates {
  readonly signIn: SignInRules
  readonly guestEntriesPerMinute: number
  readonly requestsPerMinute: number
  readonly messagesPerMinute: number
}

export interface EdgeLimits {
  readonly signIn: SignInGuard
  /** By address. */
  readonly guests: RateBook
  /** By credential. */
  readonly requests: RateBook
  /** Of one connection. */
  readonly messages: Rate
  readonly intake: Intake
}

export function edgeLimits(rates: EdgeRates, intake: Intake, now: () => number): EdgeLimits {
  const { guestEntriesPerMinute, requestsPerMinute, messagesPerMinute } = rates
  return {
    signIn: new SignInGuard(rates.signIn, now),
    guests: new RateBook({
      count: guestEntriesPerMinute,
      perMs: 60_000,
      of: 'guests from this address (guestEntriesPerMinute)',
    }),
    requests: new RateBook(sixth(requestsPerMinute, 'requests with this credential (requestsPerMinute)')),
    messages: sixth(messagesPerMinute, 'messages on this connection (messagesPerMinute)'),
    intake,
  }
}

/** A minute's worth at once would be a flood of its own. */
function sixth(perMinute: number, of: string): Rate {
  return { count: Math.ceil(perMinute / 6), perMs: 10_000, of }
}
