// What becomes of attempts when a worker comes back and says which it still has. It reports every token it runs and
// every one whose outcome waits unacknowledged in its outbox: a finished attempt left out would look lost and run twice.

import type { AttemptToken } from '../ids.ts'

export interface Resumption {
  /** Both sides agree: the worker goes on. */
  readonly carryOn: readonly AttemptToken[]
  /** The worker has it, the server has given it to somebody else or ended it: the worker must stop. */
  readonly superseded: readonly AttemptToken[]
  /** The server thought the worker had it, the worker does not know of it: to be treated as worker lost. */
  readonly lost: readonly AttemptToken[]
}

export function resumeAttempts(
  reported: readonly AttemptToken[],
  assigned: readonly AttemptToken[],
): Resumption {
  const [has, should] = [new Set(reported), new Set(assigned)]
  return {
    carryOn: [...should].filter((token) => has.has(token)),
    superseded: [...has].filter((token) => !should.has(token)),
    lost: [...should].filter((token) => !has.has(token)),
  }
}
