// The limits that stand at the doors, before anything is read or asked of the store.

import type { Rate } from '@millrace/domain'
import type { Intake } from './intake.ts'
import { bytesPerMinute, Pace, type Pause } from './pace.ts'
import { RateBook } from './rate-book.ts'
import { SignInGuard, type SignInRules } from './sign-in-guard.ts'

export interface EdgeRates {
  readonly signIn: SignInRules
  readonly guestEntriesPerMinute: number
  readonly requestsPerMinute: number
  readonly messagesPerMinute: number
  readonly uploadBytesPerMinute: number
  readonly logBytesPerMinute: number
  /** The largest body that any door takes. */
  readonly bodyMaxBytes: number
}

export interface EdgeLimits {
  readonly signIn: SignInGuard
  /** By address. */
  readonly guests: RateBook
  /** By credential. */
  readonly requests: RateBook
  /** Bodies, by user. */
  readonly uploads: Pace
  /** Lines that jobs log, by room. */
  readonly logs: Pace
  /** Of one connection. */
  readonly messages: Rate
  readonly intake: Intake
}

/** Long enough for the largest body of whoever sends one after the other. */
const uploadHoldMs = 5_000
/** A worker reports the end of a job after its lines, which therefore must not wait long. */
const logHoldMs = 2_000
/** What one message may bring. */
const logAtOnceBytes = 4_000_000

export function edgeLimits(rates: EdgeRates, intake: Intake, now: () => number, pause: Pause): EdgeLimits {
  const { guestEntriesPerMinute, requestsPerMinute, messagesPerMinute } = rates
  return {
    signIn: new SignInGuard(rates.signIn, now),
    guests: new RateBook({
      count: guestEntriesPerMinute,
      perMs: 60_000,
      of: 'guests from this address (guestEntriesPerMinute)',
    }),
    requests: new RateBook(sixth(requestsPerMinute, 'requests with this credential (requestsPerMinute)')),
    uploads: new Pace(
      {
        rate: bytesPerMinute(
          rates.uploadBytesPerMinute,
          rates.bodyMaxBytes,
          'bytes in requests of this user (uploadBytesPerMinute)',
        ),
        holdMs: uploadHoldMs,
      },
      now,
      pause,
    ),
    logs: new Pace(
      {
        rate: bytesPerMinute(
          rates.logBytesPerMinute,
          logAtOnceBytes,
          'bytes logged in this room (logBytesPerMinute)',
        ),
        holdMs: logHoldMs,
      },
      now,
      pause,
    ),
    messages: messageRate(messagesPerMinute),
    intake,
  }
}

/** A minute's worth at once would be a flood of its own. */
function sixth(perMinute: number, of: string): Rate {
  return { count: Math.ceil(perMinute / 6), perMs: 10_000, of }
}

/** Fewer at once than that: each is work for the server, and a worker that has many reports sends them in one. */
function messageRate(perMinute: number): Rate {
  const count = Math.min(Math.ceil(perMinute / 6), 1_000)
  const perMs = Math.ceil((60_000 * count) / perMinute)
  return { count, perMs, of: 'messages on this connection (messagesPerMinute)' }
}
