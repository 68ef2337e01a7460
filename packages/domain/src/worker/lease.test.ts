import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import {
  beatIntervalMs,
  disconnectLease,
  expireLease,
  graceMs,
  grantLease,
  type Lease,
  leaseExpiresAt,
  leaseMs,
  renewLease,
} from './lease.ts'

const longAgo = -1_000_000
const connected: Lease = { presence: 'connected', leaseUntil: 15_000 }
const away: Lease = { presence: 'away', leaseUntil: 12_000 }
const lost: Lease = { presence: 'lost', leaseUntil: 12_000 }

describe('a lease', () => {
  it('[W16] is granted for 15 s and renewed for as long whenever the worker is heard', () => {
    expect(grantLease(0)).toEqual(connected)
    expect(renewLease(connected, 5_000)).toEqual({ presence: 'connected', leaseUntil: 20_000 })
  })

  it('[W16] is not shortened by a renewal that was decided late', () => {
    expect(renewLease(connected, -3_000)).toEqual(connected)
  })

  it('[W16] of a worker that was away is renewed by its return, even after its end as long as nobody declared it lost', () => {
    expect(renewLease(away, 11_000)).toEqual({ presence: 'connected', leaseUntil: 26_000 })
    expect(renewLease(away, 13_000)).toEqual({ presence: 'connected', leaseUntil: 28_000 })
  })

  it('[W17] is shortened to the grace period by a disconnect', () => {
    expect(disconnectLease(connected, 1_000)).toEqual({ presence: 'away', leaseUntil: 11_000 })
  })

  it('[W17] is never lengthened by a disconnect, nor by a second one', () => {
    expect(disconnectLease(connected, 9_000)).toEqual({ presence: 'away', leaseUntil: 15_000 })
    expect(disconnectLease(away, 9_000)).toBe(away)
    expect(disconnectLease(lost, 9_000)).toBe(lost)
  })

  it('[W18] leaves the full grace period whenever a connection breaks between two beats in time', () => {
    for (const silentMs of [0, 1, beatIntervalMs]) {
      const broken = disconnectLease(grantLease(0), silentMs)
      expect(broken.leaseUntil - silentMs).toBe(graceMs)
    }
    expect(leaseMs).toBe(15_000)
  })

  it('[W19] makes the worker lost once it has run out, and not earlier', () => {
    expect(expireLease(connected, longAgo, 14_999)).toMatchObject({
      refused: 'lease_not_due',
      details: { expiresAt: 15_000 },
    })
    expect(expireLease(connected, longAgo, 15_000)).toEqual({ presence: 'lost', leaseUntil: 15_000 })
    expect(expireLease(away, longAgo, 11_999)).toMatchObject({ refused: 'lease_not_due' })
    expect(expireLease(away, longAgo, 12_000)).toEqual(lost)
    expect(expireLease(lost, longAgo, 0)).toBe(lost)
  })

  it('[W20] gets a full grace period after a server start or a store outage before it may expire', () => {
    const steadySince = 100_000
    expect(leaseExpiresAt(away, steadySince)).toBe(110_000)
    expect(expireLease(away, steadySince, 109_999)).toMatchObject({ refused: 'lease_not_due' })
    expect(expireLease(away, steadySince, 110_000)).toEqual(lost)
  })

  it('[W20] that lasts longer anyway is not touched by a server start', () => {
    expect(leaseExpiresAt({ ...connected, leaseUntil: 112_000 }, 100_000)).toBe(112_000)
  })

  it('[W21] of a lost worker is not renewed: it has to register again', () => {
    expect(renewLease(lost, 12_001)).toMatchObject({ refused: 'worker_lost' })
  })

  it('[W19] keeps a worker that is heard every beat, whatever else happens to its connection', () => {
    const mishap = fc.array(
      fc.record({ breaks: fc.boolean(), atMs: fc.integer({ min: 0, max: beatIntervalMs }) }),
    )
    fc.assert(
      fc.property(mishap, (beats) => {
        let [lease, now] = [grantLease(0), 0]
        for (const { breaks, atMs } of beats) {
          if (breaks) lease = disconnectLease(lease, now + atMs)
          now += beatIntervalMs
          expect(isRefusal(expireLease(lease, longAgo, now))).toBe(true)
          lease = renewLease(lease, now) as Lease
        }
      }),
      { seed: 51 },
    )
  })
})
