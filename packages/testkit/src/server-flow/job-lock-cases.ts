// Locks that the handler of a job holds through the SDK.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobView, LockView } from '@millrace/protocol'
import { createWorker, type JobLock, LockLost, type WorkerOptions } from '@millrace/worker'
import { expect } from 'vitest'
import { TcpProxy } from '../network/tcp-proxy.ts'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import type { RoomEar } from './room-ear.ts'
import { type LockingData, locking, lockingExtension } from './worker/locking-extension.ts'

const path = (room: string, verb: string): string => `/api/rooms/${room}/locks/trajectory/${verb}`
const ttlMs = 60_000

async function withWorker(
  scene: FlowScene,
  options: Partial<WorkerOptions>,
  run: (room: string, ear: RoomEar) => Promise<void>,
): Promise<void> {
  const room = await scene.newRoom()
  const worker = createWorker({
    url: scene.url,
    token: scene.admin.token ?? '',
    id: scene.newName('worker'),
    room,
    slots: 2,
    extensions: [lockingExtension],
    handleSignals: false,
    vitals: false,
    logger: false,
    shutdownTimeoutMs: 1,
    ...options,
  })
  await worker.start()
  try {
    await run(room, await scene.ear(room))
  } finally {
    await worker.stop()
  }
}

function submit(scene: FlowScene, room: string, data: LockingData): Promise<string> {
  return scene.submit(room, data, { extension: 'Locking' })
}

function nextHeld(): Promise<JobLock> {
  return new Promise((resolve) => locking.held.push(resolve))
}

/** The next change of the lock that fits. */
async function lockHeard(ear: RoomEar, fits: (lock: LockView) => boolean): Promise<LockView> {
  const isIt = (payload: Record<string, unknown>): LockView | undefined =>
    (payload.events as LockView[] | undefined)?.find(fits)
  const { payload } = await ear.heard.next(
    (one) => one.event === 'lock:changed' && isIt(one.payload) !== undefined,
  )
  return isIt(payload) as LockView
}

async function ended(scene: FlowScene, ear: RoomEar, room: string, id: string): Promise<JobView> {
  await ear.states.until((all) => all.some((one) => one.id === id && /completed|failed/.test(one.status)))
  return scene.job(room, id)
}

export const jobLockCases: readonly FlowCase[] = [
  {
    title:
      '[K40] a job holds a target of its room against everybody else, and a second job is told who holds it',
    run: (scene) =>
      withWorker(scene, {}, async (room, ear) => {
        const held = nextHeld()
        const first = await submit(scene, room, { next: 'wait' })
        expect(await held).toMatchObject({ target: 'trajectory', fence: 1 })
        const refusal = await scene.admin.refused(423, 'POST', path(room, 'acquire'), { ttlMs })
        expect(refusal).toMatchObject({
          code: 'locked',
          details: { holder: 'root', message: `Held by ${first}` },
        })
        const second = await ended(scene, ear, room, await submit(scene, room, { next: 'return' }))
        expect(second).toMatchObject({ status: 'failed', error: { name: 'LockRefused', message: /locked/ } })
        await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${first}/cancel`)
        await lockHeard(ear, ({ holder }) => holder === null)
      }),
  },
  {
    title:
      '[K42] a lock is free after release, after await using, and when the handler has ended without either',
    run: (scene) =>
      withWorker(scene, {}, async (room, ear) => {
        for (const [fence, next] of (['release', 'dispose', 'return'] as const).entries()) {
          const job = await ended(scene, ear, room, await submit(scene, room, { next }))
          expect(job).toMatchObject({ status: 'completed', result: { fence: fence + 1, isLost: false } })
          await lockHeard(ear, (lock) => lock.fence === fence + 1 && lock.holder === null)
        }
      }),
  },
  {
    title: '[K41] a lock outlives its time to live while it is held, also when the handler blocks its runner',
    run: async (scene) => {
      const module = new URL('./worker/locking-extension.ts', import.meta.url).href
      await withWorker(scene, { isolation: 'process', module }, async (room, ear) => {
        const file = join(await makeTempDir('lock'), 'go-on')
        // It is refreshed at half of this, and a machine that stands still for less than that does not lose it.
        const lives = 8_000
        const id = await submit(scene, room, { ttlMs: lives, next: 'block', file })
        const first = await lockHeard(ear, ({ holder }) => holder !== null)
        const untilAt = (first.holder?.expiresAt ?? 0) + lives
        await lockHeard(ear, ({ holder }) => (holder?.expiresAt ?? 0) > untilAt)
        writeFileSync(file, '')
        expect(await ended(scene, ear, room, id)).toMatchObject({
          status: 'completed',
          result: { fence: 1, isLost: false },
        })
        await lockHeard(ear, ({ holder }) => holder === null)
      })
    },
  },
  {
    title: '[K41] [K43] a connection that comes back keeps a lock, and one that stays away loses it',
    run: async (scene) => {
      const { hostname: host, port } = new URL(scene.url)
      const target = { host, port: Number(port) }
      const proxy = await TcpProxy.start(target)
      await withWorker(scene, { url: `http://127.0.0.1:${proxy.port}` }, async (room, ear) => {
        const long = nextHeld()
        const first = await submit(scene, room, { ttlMs, next: 'wait' })
        const kept = await long
        const { holder } = await lockHeard(ear, (one) => one.holder !== null)
        const untilAt = holder?.expiresAt ?? 0
        proxy.cutAll()
        await lockHeard(ear, (one) => one.holder !== null && one.holder.expiresAt < untilAt)
        await lockHeard(ear, (one) => one.holder !== null && one.holder.expiresAt > untilAt)
        expect(kept.signal.aborted).toBe(false)
        await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${first}/cancel`)
        await lockHeard(ear, (one) => one.holder === null)

        const short = nextHeld()
        await submit(scene, room, { ttlMs: 2_000, next: 'wait' })
        const lock = await short
        target.port = await freePort()
        proxy.cutAll()
        const lost = await lock.lost
        expect(lost).toBeInstanceOf(LockLost)
        expect(lock.signal.reason).toBe(lost)
        await lockHeard(ear, ({ holder }) => holder === null)
        const next = await scene.admin.expect<LockView>(200, 'POST', path(room, 'acquire'), { ttlMs })
        expect(next.fence).toBe(lock.fence + 1)
        target.port = Number(port)
      })
      await proxy.close()
    },
  },
]
