import { describe, expect, it } from 'vitest'
import type { RoomName, UserName } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import { freeOf, take } from './capacity.ts'
import { beatLateMs, healthOf } from './health.ts'
import { disconnectLease, expireLease } from './lease.ts'
import { defaultNeed } from './resources.ts'
import {
  drainWorker,
  type Enrolment,
  enrolWorker,
  hearWorker,
  sendWorkerAway,
  undrainWorker,
  type Vitals,
  type Worker,
} from './worker.ts'

const someone = (user: string, role: UserRole = 'user'): Caller => ({ user: user as UserName, role })
const ann = someone('ann')
const enrolment: Enrolment = { id: 'w-1', kind: 'client', offers: { slots: 2, cpu: 4 } }
const fine: Vitals = { memoryUsed: 0.5, load: 1, cores: 4 }
const worker = ok(enrolWorker(null, enrolment, ann, 1_000))

function ok<Value>(answer: Value | Refusal): Value {
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

function busy(): Worker {
  return { ...worker, capacity: ok(take(worker.capacity, defaultNeed)) }
}

describe('enrolment', () => {
  it('[W1] a worker is of the kind it says, whatever it is called', () => {
    expect(ok(enrolWorker(null, { ...enrolment, id: 'pool-manager' }, ann, 0)).kind).toBe('client')
    expect(ok(enrolWorker(null, { ...enrolment, kind: 'manager' }, ann, 0)).kind).toBe('manager')
  })

  it("[W1] a pool takes a pool's token or role admin", () => {
    const pool = { ...enrolment, kind: 'pool' } as const
    expect(enrolWorker(null, pool, ann, 0)).toMatchObject({ refused: 'worker_kind_forbidden' })
    expect(ok(enrolWorker(null, pool, someone('root', 'admin'), 0)).kind).toBe('pool')
    expect(ok(enrolWorker(null, pool, someone('pool', 'pool'), 0)).kind).toBe('pool')
    const ofOneRoom = { ...someone('root', 'admin'), onlyRoom: 'lab' as RoomName }
    expect(enrolWorker(null, pool, ofOneRoom, 0)).toMatchObject({ refused: 'worker_kind_forbidden' })
  })

  it.each(['client', 'manager'] as const)("[W1] a pool's token runs no worker of kind %s", (kind) => {
    expect(enrolWorker(null, { ...enrolment, kind }, someone('pool', 'pool'), 0)).toMatchObject({
      refused: 'worker_kind_forbidden',
    })
  })

  it.each(['', 'a/b', '-x', 'a b', 'x'.repeat(129), '{a}'])('[W2] %j is no id for a worker', (id) => {
    expect(enrolWorker(null, { ...enrolment, id }, ann, 0)).toMatchObject({ refused: 'worker_id_invalid' })
  })

  it('[W3] an id belongs to the user who first used it, an admin included', () => {
    expect(enrolWorker(worker, enrolment, someone('bob'), 0)).toMatchObject({ refused: 'worker_not_yours' })
    expect(enrolWorker(worker, enrolment, someone('root', 'admin'), 0)).toMatchObject({
      refused: 'worker_not_yours',
    })
    const lost = { ...worker, lease: { presence: 'lost', leaseUntil: 0 } } as const
    expect(enrolWorker(lost, enrolment, someone('bob'), 0)).toMatchObject({ refused: 'worker_not_yours' })
  })

  it('[W4] a live worker keeps its kind', () => {
    expect(enrolWorker(worker, { ...enrolment, kind: 'manager' }, ann, 0)).toMatchObject({
      refused: 'worker_kind_fixed',
    })
  })

  it('[W5] a worker that returns keeps what it has taken and that it drains, and offers what it says now', () => {
    const before = { ...ok(drainWorker(busy(), ann)), lease: disconnectLease(worker.lease, 2_000) }
    const back = ok(enrolWorker(before, { ...enrolment, offers: { slots: 8 } }, ann, 3_000))
    expect(freeOf(back.capacity).slots).toBe(7)
    expect(back).toMatchObject({
      draining: true,
      registeredAt: 1_000,
      lease: { presence: 'connected', leaseUntil: 18_000 },
    })
  })

  it('[W5] a worker that was lost begins anew', () => {
    const lost = { ...ok(drainWorker(busy(), ann)), lease: ok(expireLease(worker.lease, 0, 90_000)) }
    const anew = ok(enrolWorker(lost, { ...enrolment, kind: 'manager' }, ann, 100_000))
    expect(freeOf(anew.capacity).slots).toBe(2)
    expect(anew).toMatchObject({ kind: 'manager', draining: false, registeredAt: 100_000 })
  })

  it('[W10] a worker cannot offer what is no resource', () => {
    expect(enrolWorker(null, { ...enrolment, offers: { slots: 0 } }, ann, 0)).toMatchObject({
      refused: 'resources_invalid',
    })
  })
})

describe('hearing from a worker', () => {
  it('[W16] a beat renews the lease and brings the vitals', () => {
    expect(hearWorker(worker, fine, 6_000)).toEqual({
      ...worker,
      lease: { presence: 'connected', leaseUntil: 21_000 },
      heardAt: 6_000,
      vitals: fine,
    })
  })

  it('[W16] a write of a pull worker renews the lease and keeps the vitals', () => {
    const heard = ok(hearWorker(ok(hearWorker(worker, fine, 6_000)), null, 8_000))
    expect(heard).toMatchObject({ heardAt: 8_000, vitals: fine, lease: { leaseUntil: 23_000 } })
  })

  it('[W21] a lost worker is not heard', () => {
    const lost = { ...worker, lease: ok(expireLease(worker.lease, 0, 90_000)) }
    expect(hearWorker(lost, fine, 90_001)).toMatchObject({ refused: 'worker_lost' })
  })
})

describe('draining', () => {
  it('[W23] the user of a worker and an admin may drain it, others not', () => {
    expect(drainWorker(worker, ann)).toEqual({ ...worker, draining: true })
    expect(drainWorker(worker, someone('root', 'admin'))).toEqual({ ...worker, draining: true })
    expect(drainWorker(worker, someone('bob'))).toMatchObject({ refused: 'worker_not_yours' })
    const drained = ok(drainWorker(worker, ann))
    expect(undrainWorker(drained, someone('bob'))).toMatchObject({ refused: 'worker_not_yours' })
    expect(undrainWorker(drained, ann)).toEqual(worker)
  })

  it('[W60] a worker that is sent away is lost from that instant on, and only its user and an admin may', () => {
    const away = ok(sendWorkerAway(worker, ann, worker.lease.leaseUntil - 1))
    expect(away.lease).toEqual({ presence: 'lost', leaseUntil: worker.lease.leaseUntil - 1 })
    expect(sendWorkerAway(away, ann, 0)).toBe(away)
    expect(hearWorker(away, null, 0)).toMatchObject({ refused: 'worker_lost' })
    expect(sendWorkerAway(worker, someone('bob'), 0)).toMatchObject({ refused: 'worker_not_yours' })
  })
})

describe('health', () => {
  const healthWith = (change: Partial<Worker>, now = 2_000) =>
    healthOf({ ...worker, vitals: fine, ...change }, now)

  it('[W12] a worker is well until something says otherwise, before its first beat too', () => {
    expect(healthWith({})).toEqual({ ok: true })
    expect(healthWith({ vitals: null })).toEqual({ ok: true })
  })

  it('[W12] memory above 90 % is bad', () => {
    expect(healthWith({ vitals: { ...fine, memoryUsed: 0.9 } })).toEqual({ ok: true })
    expect(healthWith({ vitals: { ...fine, memoryUsed: 0.94 } })).toEqual({
      ok: false,
      reason: 'memory 94 % used (limit 90 %)',
    })
  })

  it('[W13] a load above four times the cores is bad', () => {
    expect(healthWith({ vitals: { ...fine, load: 16 } })).toEqual({ ok: true })
    expect(healthWith({ vitals: { ...fine, load: 16.1 } })).toEqual({
      ok: false,
      reason: 'load 16.1 on 4 cores (limit 16)',
    })
  })

  it('[W14] a beat that is late is bad', () => {
    expect(healthWith({}, 1_000 + beatLateMs)).toEqual({ ok: true })
    expect(healthWith({}, 1_000 + beatLateMs + 1_000)).toEqual({
      ok: false,
      reason: 'beat late: last heard 11 s ago',
    })
  })

  it('[W15] draining, disconnected and lost are bad', () => {
    expect(healthWith({ draining: true })).toEqual({
      ok: false,
      reason: 'draining: it finishes what it runs and takes nothing new',
    })
    expect(healthWith({ lease: { presence: 'away', leaseUntil: 9_000 } })).toEqual({
      ok: false,
      reason: 'disconnected',
    })
    expect(healthWith({ lease: { presence: 'lost', leaseUntil: 0 } })).toEqual({ ok: false, reason: 'lost' })
  })

  it('[W15] all reasons are told, not only the first', () => {
    const vitals = { memoryUsed: 1, load: 99, cores: 4 }
    expect(healthWith({ draining: true, vitals })).toMatchObject({
      reason: expect.stringMatching(/^draining.*; memory 100 %.*; load 99\.0 on 4 cores/),
    })
  })
})
