// Locks over REST and over the socket: who holds one, until when, and who hears of it.

import type { SessionId } from '@millrace/domain'
import type { LockView } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { type CheckedClient, tell } from './checked-client.ts'
import type { ClockCase } from './clock-scene.ts'
import type { RoomEar } from './room-ear.ts'

type Answer = LockView & { readonly ok: boolean; readonly problem?: { readonly code: string } }

const ttlMs = 60_000
const path = (room: string, verb: string): string => `/api/rooms/${room}/locks/trajectory/${verb}`

function acquire(client: CheckedClient, room: string, session: string, message?: string): Promise<LockView> {
  const body = { session, ttlMs, ...(message && { message }) }
  return client.expect<LockView>(200, 'POST', path(room, 'acquire'), body)
}

/** The next change of a lock that the ear hears and that fits. */
async function lockHeard(ear: RoomEar, fits: (lock: LockView) => boolean): Promise<LockView> {
  const isIt = (payload: Record<string, unknown>): LockView | undefined =>
    (payload.events as LockView[] | undefined)?.find(fits)
  const { payload } = await ear.heard.next(
    (one) => one.event === 'lock:changed' && isIt(one.payload) !== undefined,
  )
  return isIt(payload) as LockView
}

async function lockOf(client: CheckedClient, room: string): Promise<LockView | undefined> {
  const { locks } = await client.get<{ locks: LockView[] }>(`/api/rooms/${room}/locks`)
  return locks.find(({ target }) => target === 'trajectory')
}

const say = (socket: Socket, event: string, payload: unknown): Promise<Answer> => tell(socket, event, payload)

export const lockCases: readonly ClockCase[] = [
  {
    title:
      '[M60] a lock is held by one session at a time, whoever asks by REST or by socket, and the room hears',
    run: async (scene) => {
      const room = await scene.newRoom()
      const [ear, other] = [await scene.ear(room), await scene.user()]
      const held = await acquire(scene.admin, room, 'one', 'Uploading 1,000 frames…')
      expect(held).toMatchObject({ fence: 1, holder: { message: 'Uploading 1,000 frames…' } })
      await lockHeard(ear, ({ holder }) => holder?.message === 'Uploading 1,000 frames…')
      const refusal = await other.refused(423, 'POST', path(room, 'acquire'), { ttlMs })
      expect(refusal).toMatchObject({ code: 'locked', details: { leftMs: ttlMs } })
      const socket = await other.socket()
      const again = await say(socket, 'lock:acquire', { room, target: 'trajectory', ttlMs })
      expect(again).toMatchObject({ ok: false, problem: { code: 'locked' } })
      await scene.admin.expect(200, 'POST', path(room, 'release'), { session: 'one', fence: 1 })
      await lockHeard(ear, ({ holder }) => holder === null)
      expect(await say(socket, 'lock:acquire', { room, target: 'trajectory', ttlMs })).toMatchObject({
        ok: true,
        fence: 2,
        holder: { user: other.user },
      })
      expect(await lockOf(scene.admin, room)).toMatchObject({ fence: 2, holder: { user: other.user } })
    },
  },
  {
    title: '[M61] the same session acquires again and counts up; an old fencing number moves nothing',
    run: async (scene) => {
      const room = await scene.newRoom()
      await acquire(scene.admin, room, 'one')
      await acquire(scene.admin, room, 'one')
      const release = { session: 'one', fence: 1 }
      await scene.admin.expect(200, 'POST', path(room, 'release'), release)
      expect((await lockOf(scene.admin, room))?.holder).not.toBeNull()
      await scene.admin.expect(200, 'POST', path(room, 'release'), release)
      expect((await lockOf(scene.admin, room))?.holder).toBeNull()
      await acquire(scene.admin, room, 'one')
      const stale = await scene.admin.refused(409, 'POST', path(room, 'message'), {
        ...release,
        message: 'late',
      })
      expect(stale.code).toBe('fencing_stale')
      const mine = { session: 'one', fence: 2 }
      const told = await scene.admin.expect<LockView>(200, 'POST', path(room, 'message'), {
        ...mine,
        message: 'now',
      })
      expect(told.holder?.message).toBe('now')
    },
  },
  {
    title: '[M61] somebody who guesses the name of a session holds another one: it begins with its user',
    run: async (scene) => {
      const room = await scene.newRoom()
      const other = await scene.user()
      const { fence } = await acquire(scene.admin, room, 'shared')
      const refusal = await other.refused(423, 'POST', path(room, 'release'), { session: 'shared', fence })
      expect(refusal.code).toBe('locked')
    },
  },
  {
    title:
      '[M62] a holding that is refreshed lasts, and one that is not ends by itself and the room hears of it',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const { fence } = await acquire(scene.admin, room, 'one')
      await scene.pass(40_000)
      const refreshed = await scene.admin.expect<LockView>(200, 'POST', path(room, 'refresh'), {
        session: 'one',
        fence,
        ttlMs,
      })
      expect(refreshed.holder?.expiresAt).toBe(scene.now + ttlMs)
      await scene.pass(40_000)
      expect((await lockOf(scene.admin, room))?.holder).not.toBeNull()
      await scene.pass(20_000)
      await lockHeard(ear, ({ holder }) => holder === null)
      const late = { session: 'one', fence, ttlMs }
      expect((await scene.admin.refused(409, 'POST', path(room, 'refresh'), late)).code).toBe('lock_not_held')
    },
  },
  {
    title:
      '[M63] a lost connection frees its locks after the grace period, and a session that returns keeps them',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const ask = { room, target: 'trajectory', session: 'page', ttlMs: 300_000 }
      const first = await scene.admin.socket()
      const { fence } = await say(first, 'lock:acquire', ask)
      first.close()
      await lockHeard(ear, ({ holder }) => holder?.expiresAt === scene.now + 10_000)
      await scene.pass(8_000)
      const second = await scene.admin.socket()
      expect(await say(second, 'lock:refresh', { ...ask, fence })).toMatchObject({ ok: true, fence })
      await scene.pass(8_000)
      expect((await lockOf(scene.admin, room))?.holder).not.toBeNull()
      second.close()
      await lockHeard(ear, ({ holder }) => holder?.expiresAt === scene.now + 10_000)
      await scene.pass(12_000)
      await lockHeard(ear, ({ holder }) => holder === null)
    },
  },
  {
    title:
      '[M184] a session that let its holding end is forgotten, by whichever door it came, and one that refreshes is not',
    run: async (scene) => {
      const room = await scene.newRoom()
      const { held } = scene.server.running.parts.locks
      const at = (target: string, verb: string): string => `/api/rooms/${room}/locks/${target}/${verb}`
      const socket = await scene.admin.socket()
      await say(socket, 'lock:acquire', { room, target: 'by-socket', session: 'page', ttlMs })
      for (const session of ['one', 'two', 'kept'])
        await scene.admin.expect(200, 'POST', at(session, 'acquire'), { session, ttlMs })
      const names = ['page', 'one', 'two', 'kept'].map((name) => `${scene.admin.user}:${name}` as SessionId)
      await scene.pass(ttlMs - 4_000)
      expect(names.map((name) => held.has(name))).toEqual([true, true, true, true])
      const refresh = { session: 'kept', fence: 1, ttlMs }
      await scene.admin.expect(200, 'POST', at('kept', 'refresh'), refresh)
      await scene.pass(4_000)
      expect(names.map((name) => held.has(name))).toEqual([false, false, false, true])
      await scene.pass(ttlMs)
      expect(held.any).toBe(false)
      socket.close()
    },
  },
  {
    title: '[M64] the attempt of a job holds a lock in the name of its submitter, and loses it when it ends',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }])
      await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      const attempt = { job: job.id, token: job.token }
      const ask = { room, target: 'trajectory', attempt, ttlMs }
      expect(await say(worker.socket, 'lock:acquire', ask)).toMatchObject({ ok: true, fence: 1 })
      expect((await scene.admin.refused(423, 'POST', path(room, 'acquire'), { ttlMs })).code).toBe('locked')
      await worker.completed(job)
      await lockHeard(ear, ({ holder }) => holder === null)
      expect(await say(worker.socket, 'lock:acquire', ask)).toMatchObject({
        ok: false,
        problem: { code: 'attempt_superseded' },
      })
    },
  },
  {
    title: '[M64] an attempt that was superseded neither acquires nor refreshes a lock',
    run: async (scene) => {
      const room = await scene.newRoom()
      const before = await scene.worker([{ room }])
      await scene.submit(room)
      const old = await before.assigned.next()
      await before.started(old)
      before.close()
      await scene.pass(16_000)
      const attempt = { job: old.id, token: old.token }
      const refusal = await scene.admin.refused(409, 'POST', path(room, 'acquire'), { attempt, ttlMs })
      expect(refusal.code).toBe('attempt_superseded')
    },
  },
]
