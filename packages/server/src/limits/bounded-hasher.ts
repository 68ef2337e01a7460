// Hashes few passwords at once and lets few more wait. Each takes tens of milliseconds in one of the four threads that
// the store's syncs need as well, and 19 MiB: unbounded, a flood of sign-ins would stand before every commit.

import type { PasswordHasher } from '../ports/password-hasher.ts'
import { ServerBusy } from '../ports/server-busy.ts'

const atOnce = 2
/** About a second of work: whoever comes later would have given up before an answer. */
const waitingAtMost = 40

export function boundedHasher({ hash, matches }: PasswordHasher): PasswordHasher {
  const line: (() => void)[] = []
  let busy = 0
  const inTurn = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (busy >= atOnce) {
      if (line.length >= waitingAtMost) throw new ServerBusy('too many passwords wait to be hashed')
      await new Promise<void>((resolve) => line.push(resolve))
    } else busy += 1
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else busy -= 1
    }
  }
  return {
    hash: (password) => inTurn(() => hash(password)),
    matches: (known, password) => inTurn(() => matches(known, password)),
  }
}
