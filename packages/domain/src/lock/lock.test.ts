import { describe, expect, it } from 'vitest'
import type { SessionId, UserName } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { writeRefusal } from './check-write.ts'
import { expireLock, lockDueAt, lockGraceMs, releaseLock, sessionLost } from './end-lock.ts'
import { acquireLock, lockMessageMaxLength, refreshLock, setLockMessage } from './hold-lock.ts'
import { createLock, type Lock, maxLockTargets } from './lock.ts'

const ann = { session: 's-ann' as SessionId, user: 'ann' as UserName }
const bob = { session: 's-bob' as SessionId, user: 'bob' as UserName }

const free = createLock('trajectory', 0) as Lock
const byAnn = ok(acquireLock(free, { ...ann, ttlMs: 60_000, message: 'Uploading 1,000 frames…' }, 1_000))
const annsClaim = { session: ann.session, fence: 1 }
const bobsClaim = { session: bob.session, fence: 1 }

function ok(answer: Lock | Refusal): Lock {
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

describe('acquire', () => {
  it('[L1] a free lock goes to whoever asks, with the next fencing number', () => {
    expect(byAnn).toEqual({
      target: 'trajectory',
      fence: 1,
      holder: { ...ann, count: 1, acquiredAt: 1_000, expiresAt: 61_000, message: 'Uploading 1,000 frames…' },
    })
  })

  it('[L2] while one session holds it another is refused, with holder, message and time left', () => {
    expect(acquireLock(byAnn, { ...bob, ttlMs: 60_000 }, 31_000)).toEqual({
      refused: 'locked',
      message: 'ann holds the lock on trajectory for at most 30 s more.',
      details: { target: 'trajectory', holder: 'ann', message: 'Uploading 1,000 frames…', leftMs: 30_000 },
    })
  })

  it('[L2] the same user in another session is another holder', () => {
    const request = { session: bob.session, user: ann.user, ttlMs: 60_000 }
    expect(acquireLock(byAnn, request, 2_000)).toMatchObject({ refused: 'locked' })
  })

  it('[L3] the same session acquires again: counted, under the same number, with its message kept', () => {
    const twice = ok(acquireLock(byAnn, { ...ann, ttlMs: 60_000 }, 11_000))
    expect(twice).toMatchObject({
      fence: 1,
      holder: { count: 2, acquiredAt: 1_000, expiresAt: 71_000, message: 'Uploading 1,000 frames…' },
    })
  })

  it('[L3] acquiring again with a shorter time does not shorten the holding', () => {
    expect(ok(acquireLock(byAnn, { ...ann, ttlMs: 1_000 }, 2_000)).holder?.expiresAt).toBe(61_000)
  })

  it.each([0, 999, 300_001, 1_500.5, Number.NaN, Number.POSITIVE_INFINITY, -1])(
    '[L4] a time to live of %d ms is refused and the limit named',
    (ttlMs) => {
      const refusal = {
        refused: 'lock_ttl_out_of_range',
        details: { field: 'ttlMs', min: 1_000, max: 300_000 },
      }
      expect(acquireLock(free, { ...ann, ttlMs }, 0)).toMatchObject(refusal)
      expect(refreshLock(byAnn, annsClaim, ttlMs, 2_000)).toMatchObject(refusal)
    },
  )

  it.each([1_000, 300_000])('[L4] a time to live of %d ms is accepted', (ttlMs) => {
    expect(ok(acquireLock(free, { ...ann, ttlMs }, 0)).holder?.expiresAt).toBe(ttlMs)
  })
})

describe('refresh and message', () => {
  it('[L5] a refresh lasts its time from now on', () => {
    expect(ok(refreshLock(byAnn, annsClaim, 60_000, 31_000)).holder?.expiresAt).toBe(91_000)
  })

  it('[L5] a refresh with a shorter time does not shorten the holding', () => {
    expect(ok(refreshLock(byAnn, annsClaim, 1_000, 2_000)).holder?.expiresAt).toBe(61_000)
  })

  it('[L6] the holder changes and clears the message', () => {
    expect(ok(setLockMessage(byAnn, annsClaim, 'half done', 2_000)).holder?.message).toBe('half done')
    expect(ok(setLockMessage(byAnn, annsClaim, null, 2_000)).holder?.message).toBeNull()
  })

  it('[L6] a message of 200 characters is accepted and a longer one refused', () => {
    const longest = 'x'.repeat(lockMessageMaxLength)
    expect(ok(setLockMessage(byAnn, annsClaim, longest, 2_000)).holder?.message).toBe(longest)
    const message = 'x'.repeat(lockMessageMaxLength + 1)
    const refusal = { refused: 'lock_message_too_long', details: { limit: 200 } }
    expect(acquireLock(free, { ...ann, ttlMs: 1_000, message }, 0)).toMatchObject(refusal)
    expect(setLockMessage(byAnn, annsClaim, message, 2_000)).toMatchObject(refusal)
  })
})

describe('release', () => {
  it('[L7] each release counts down and the last one frees the lock', () => {
    const twice = ok(acquireLock(byAnn, { ...ann, ttlMs: 60_000 }, 2_000))
    const once = ok(releaseLock(twice, annsClaim, 3_000))
    expect(once.holder?.count).toBe(1)
    expect(ok(releaseLock(once, annsClaim, 4_000))).toEqual({ target: 'trajectory', fence: 1, holder: null })
  })

  it('[L9] the number outlives release and expiry and grows with the next holding', () => {
    const released = ok(releaseLock(byAnn, annsClaim, 2_000))
    const second = ok(acquireLock(released, { ...bob, ttlMs: 1_000 }, 3_000))
    expect(second.fence).toBe(2)
    const third = ok(acquireLock(expireLock(second, 4_000), { ...bob, ttlMs: 1_000 }, 5_000))
    expect(third.fence).toBe(3)
  })
})

describe('who may speak about a holding', () => {
  const verbs: readonly [string, (lock: Lock, claim: typeof annsClaim, now: number) => Lock | Refusal][] = [
    ['refresh', (lock, claim, now) => refreshLock(lock, claim, 60_000, now)],
    ['message', (lock, claim, now) => setLockMessage(lock, claim, 'x', now)],
    ['release', releaseLock],
  ]

  it.each(verbs)(
    '[L8] %s is refused to another session, without a holder, and under an old number',
    (_verb, say) => {
      expect(say(byAnn, bobsClaim, 2_000)).toMatchObject({ refused: 'locked' })
      expect(say(free, annsClaim, 2_000)).toMatchObject({ refused: 'lock_not_held' })
      expect(say(byAnn, annsClaim, 61_000)).toMatchObject({ refused: 'lock_not_held' })
      const again = ok(acquireLock(byAnn, { ...ann, ttlMs: 1_000 }, 61_000))
      expect(say(again, annsClaim, 61_500)).toMatchObject({
        refused: 'fencing_stale',
        details: { fence: 1, lastFence: 2 },
      })
    },
  )
})

describe('expiry and lost sessions', () => {
  it('[L10] an expired holder is nobody, swept or not', () => {
    expect(ok(acquireLock(byAnn, { ...bob, ttlMs: 1_000 }, 61_000)).holder?.user).toBe('bob')
    expect(acquireLock(byAnn, { ...bob, ttlMs: 1_000 }, 60_999)).toMatchObject({ refused: 'locked' })
  })

  it('[L10] a sweep that comes early or twice changes nothing', () => {
    expect(lockDueAt(byAnn)).toBe(61_000)
    expect(expireLock(byAnn, 60_999)).toBe(byAnn)
    const swept = expireLock(byAnn, 61_000)
    expect(swept).toEqual({ target: 'trajectory', fence: 1, holder: null })
    expect(expireLock(swept, 62_000)).toBe(swept)
    expect(lockDueAt(swept)).toBeNull()
  })

  it('[L11] a lost session keeps its lock for the grace period and no longer', () => {
    const shortened = sessionLost(byAnn, ann.session, 2_000)
    expect(lockDueAt(shortened)).toBe(2_000 + lockGraceMs)
    expect(acquireLock(shortened, { ...bob, ttlMs: 1_000 }, 11_999)).toMatchObject({ refused: 'locked' })
    expect(ok(acquireLock(shortened, { ...bob, ttlMs: 1_000 }, 12_000)).fence).toBe(2)
  })

  it('[L11] losing the session does not lengthen a holding that ends sooner', () => {
    expect(lockDueAt(sessionLost(byAnn, ann.session, 60_000))).toBe(61_000)
  })

  it('[L11] a session that returns in time refreshes and keeps the lock', () => {
    const back = ok(refreshLock(sessionLost(byAnn, ann.session, 2_000), annsClaim, 60_000, 9_000))
    expect(back).toMatchObject({ fence: 1, holder: { session: ann.session, expiresAt: 69_000 } })
  })

  it('[L11] the loss of a session that does not hold the lock changes nothing', () => {
    expect(sessionLost(byAnn, bob.session, 2_000)).toBe(byAnn)
    expect(sessionLost(byAnn, ann.session, 61_000)).toBe(byAnn)
    expect(sessionLost(free, ann.session, 2_000)).toBe(free)
  })
})

describe('writes', () => {
  it('[L12] a write is refused while another session holds the lock, with holder and time left', () => {
    expect(writeRefusal(byAnn, { session: bob.session }, 21_000)).toMatchObject({
      refused: 'locked',
      details: { holder: 'ann', leftMs: 40_000 },
    })
    expect(writeRefusal(byAnn, bobsClaim, 21_000)).toMatchObject({ refused: 'locked' })
  })

  it('[L13] a write under the number of an earlier holding is refused, even by the holder', () => {
    const second = ok(acquireLock(byAnn, { ...ann, ttlMs: 1_000 }, 61_000))
    expect(writeRefusal(second, annsClaim, 61_500)).toMatchObject({ refused: 'fencing_stale' })
    expect(writeRefusal(second, { session: ann.session, fence: 3 }, 61_500)).toMatchObject({
      refused: 'fencing_stale',
    })
  })

  it('[L13] a writer whose lock went to another learns that it is stale, not that it should wait', () => {
    const bobs = ok(acquireLock(byAnn, { ...bob, ttlMs: 60_000 }, 61_000))
    expect(writeRefusal(bobs, annsClaim, 62_000)).toMatchObject({ refused: 'fencing_stale' })
  })

  it('[L13] a number is stale as soon as its holding has ended, though nobody has acquired since', () => {
    expect(writeRefusal(byAnn, annsClaim, 61_000)).toMatchObject({ refused: 'fencing_stale' })
    expect(writeRefusal(ok(releaseLock(byAnn, annsClaim, 2_000)), annsClaim, 3_000)).toMatchObject({
      refused: 'fencing_stale',
    })
  })

  it('[L14] the holder writes with its number or without, and anybody writes to what nobody holds', () => {
    expect(writeRefusal(byAnn, annsClaim, 2_000)).toBeNull()
    expect(writeRefusal(byAnn, { session: ann.session }, 2_000)).toBeNull()
    expect(writeRefusal(free, { session: bob.session }, 2_000)).toBeNull()
    expect(writeRefusal(byAnn, { session: bob.session }, 61_000)).toBeNull()
  })
})

describe('targets', () => {
  it.each(['', 'Trajectory', 'a/b', '.x', 'x'.repeat(65), 'a b'])('[L15] %j is no target', (target) => {
    expect(createLock(target, 0)).toMatchObject({ refused: 'lock_target_invalid' })
  })

  it('[L15] a room has a limited number of targets', () => {
    expect(isRefusal(createLock('selection', maxLockTargets - 1))).toBe(false)
    expect(createLock('selection', maxLockTargets)).toMatchObject({
      refused: 'lock_targets_full',
      details: { limit: maxLockTargets },
    })
  })
})
