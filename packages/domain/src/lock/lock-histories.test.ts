import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionId, UserName } from '../ids.ts'
import { isRefusal } from '../refusal.ts'
import { writeRefusal } from './check-write.ts'
import { expireLock, releaseLock, sessionLost } from './end-lock.ts'
import { acquireLock, refreshLock } from './hold-lock.ts'
import { createLock, holderAt, type Lock } from './lock.ts'

const sessions = ['a', 'b', 'c'] as const
type Session = (typeof sessions)[number]

const step = fc.record({
  verb: fc.constantFrom('acquire', 'refresh', 'release', 'lost', 'expire'),
  by: fc.constantFrom(...sessions),
  waitMs: fc.integer({ min: 0, max: 4_000 }),
  ttlMs: fc.integer({ min: 1_000, max: 8_000 }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Every session remembers the last number it was given, as a client does, however stale it has become. */
interface History {
  readonly lock: Lock
  readonly now: number
  readonly numbers: ReadonlyMap<Session, number>
}

function play({ lock, now, numbers }: History, { verb, by, waitMs, ttlMs }: Step): History {
  const at = now + waitMs
  const claim = { session: by as string as SessionId, fence: numbers.get(by) ?? 0 }
  const answers = {
    acquire: () => acquireLock(lock, { session: claim.session, user: by as string as UserName, ttlMs }, at),
    refresh: () => refreshLock(lock, claim, ttlMs, at),
    release: () => releaseLock(lock, claim, at),
    lost: () => sessionLost(lock, claim.session, at, 2_000),
    expire: () => expireLock(lock, at),
  }
  const answer = answers[verb]()
  if (isRefusal(answer)) return { lock, now: at, numbers }
  const told = verb === 'acquire' ? new Map(numbers).set(by, answer.fence) : numbers
  return { lock: answer, now: at, numbers: told }
}

function forEveryStep(check: (before: History, after: History, step: Step) => void, seed: number): void {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let history: History = { lock: createLock('trajectory', 0) as Lock, now: 0, numbers: new Map() }
      for (const next of steps) {
        const after = play(history, next)
        check(history, after, next)
        history = after
      }
    }),
    { seed, numRuns: 500 },
  )
}

describe('every history of a lock', () => {
  it('[L2] a holder is only replaced after its holding has ended', () => {
    forEveryStep((before, after, { verb, by }) => {
      const [was, is] = [holderAt(before.lock, after.now), holderAt(after.lock, after.now)]
      if (was !== null && is?.session !== was.session) expect([verb, by]).toEqual(['release', was.session])
    }, 21)
  })

  it('[L2] of all sessions at most one may write with the number it was given', () => {
    forEveryStep((_before, { lock, now, numbers }) => {
      const writers = sessions.filter((session) => {
        const fence = numbers.get(session)
        return (
          fence !== undefined &&
          writeRefusal(lock, { session: session as string as SessionId, fence }, now) === null
        )
      })
      expect(writers.length).toBeLessThanOrEqual(1)
    }, 22)
  })

  it('[L9] the number never falls and grows by one exactly when a new holding begins', () => {
    forEveryStep((before, after, { verb }) => {
      const begins = verb === 'acquire' && holderAt(before.lock, after.now) === null
      expect(after.lock.fence - before.lock.fence).toBe(begins ? 1 : 0)
    }, 23)
  })

  it('[L4] no holding reaches further than the longest time asked for', () => {
    forEveryStep((_before, { lock, now }) => {
      expect((lock.holder?.expiresAt ?? now) - now).toBeLessThanOrEqual(8_000)
    }, 24)
  })
})
