// What people decide about extensions and workers: pause and resume, drain, send away.

import type { ExtensionDetail, WorkerView } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowCase } from './flow-scene.ts'

const extensionPath = (room: string): string => `/api/rooms/${room}/extensions/room/modifiers/Relax`

export const decisionCases: readonly FlowCase[] = [
  {
    title:
      '[M65] jobs of a paused extension wait and say who paused it, what runs goes on, a resume lets them go',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }], { slots: 2 })
      const running = await scene.submit(room)
      const first = await worker.assigned.next()
      const paused = await scene.admin.expect<ExtensionDetail>(200, 'POST', `${extensionPath(room)}/pause`)
      expect(paused.paused?.by).toBe(scene.admin.user)
      const waiting = await scene.submit(room)
      expect(await scene.why(room, waiting)).toMatchObject({
        status: 'pending',
        reason: 'paused',
        sentence: `The extension was paused by ${scene.admin.user}.`,
      })
      await worker.completed(first)
      await ear.reached(running, 'completed')
      expect((await scene.job(room, waiting)).status).toBe('pending')
      const resumed = await scene.admin.expect<ExtensionDetail>(200, 'POST', `${extensionPath(room)}/resume`)
      expect(resumed.paused).toBeNull()
      expect((await worker.assigned.next()).id).toBe(waiting)
    },
  },
  {
    title: '[M66] a drained worker finishes what it runs and gets nothing new until the drain is lifted',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }], { slots: 2 })
      const first = await scene.submit(room)
      const job = await worker.assigned.next()
      const path = `/api/workers/${worker.id}/drain`
      expect(await scene.admin.expect<WorkerView>(200, 'POST', path)).toMatchObject({ draining: true })
      const second = await scene.submit(room)
      await worker.completed(job)
      await ear.reached(first, 'completed')
      expect(await scene.job(room, second)).toMatchObject({ status: 'pending' })
      expect((await scene.why(room, second)).sentence).toContain('drain')
      expect(await scene.admin.expect<WorkerView>(200, 'DELETE', path)).toMatchObject({ draining: false })
      expect((await worker.assigned.next()).id).toBe(second)
    },
  },
  {
    title:
      '[M67] a worker that is sent away is cut off, its job goes to another, and its late report is refused',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const old = await worker.assigned.next()
      await worker.started(old)
      const gone = new Promise((resolve) => worker.socket.once('disconnect', resolve))
      const view = await scene.admin.expect<WorkerView>(200, 'POST', `/api/workers/${worker.id}/disconnect`)
      expect(view).toMatchObject({ presence: 'lost', extensions: [] })
      await gone
      const other = await scene.worker([{ room }])
      const job = await other.assigned.next()
      expect(job).toMatchObject({ id, charged: 0 })
      const status = { token: old.token, status: 'completed', result: { late: true } }
      const late = await scene.admin.refused(409, 'PUT', `/api/rooms/${room}/jobs/${id}/status`, status)
      expect(late.code).toBe('attempt_superseded')
      expect(await other.completed(job)).toBe('completed')
    },
  },
]
