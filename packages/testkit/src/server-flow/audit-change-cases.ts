// An action and its entry in the audit trail are one change of the store: they have one version.

import type { AuditPage, AuditView, WorkerToken } from '@millrace/protocol'
import { expect } from 'vitest'
import type { ClockCase, ClockScene } from './clock-scene.ts'

const extensionKey = 'extension/room/modifiers/Relax'

export const auditChangeCases: readonly ClockCase[] = [
  {
    title: '[Y2] what was changed and the entry about it have the same version: they were written together',
    run: async (scene) => {
      const room = await scene.newRoom()
      await together(scene, room, `room/${room}`, 'room.create')
      const { admin } = scene
      await admin.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 3 })
      await together(scene, room, `room/${room}`, 'room.change')
      const user = await scene.user()
      await admin.expect(200, 'PUT', `/api/rooms/${room}/members/${user.user}`, { role: 'viewer' })
      await together(scene, room, `room/${room}`, 'member.set')
      await admin.expect(200, 'PATCH', `/api/users/${user.user}`, { role: 'admin' })
      await together(scene, 'system', `user/${user.user}`, 'user.change')
      const token = await admin.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
      await together(scene, 'system', `token/${token.id}`, 'token.create')
      await admin.expect(204, 'DELETE', `/api/tokens/${token.id}`)
      await together(scene, 'system', `revoked/${token.id}`, 'token.revoke')
      const worker = await scene.worker([{ room }])
      await admin.expect(
        200,
        'POST',
        `/api/rooms/${room}/${extensionKey.replace('extension', 'extensions')}/pause`,
      )
      await together(scene, room, extensionKey, 'extension.pause')
      await admin.expect(200, 'POST', `/api/workers/${worker.id}/drain`)
      await together(scene, 'system', `worker/${worker.id}`, 'worker.drain')
      const job = await scene.submit(room)
      await admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${job}/cancel`)
      await together(scene, room, `job/${job}`, 'job.cancel')
      await admin.expect(201, 'POST', `/api/rooms/${room}/jobs/${job}/retry`)
      await together(scene, room, `job/${job}`, 'job.retry')
    },
  },
  {
    title: '[Y2] what changes nothing and what is refused leave no entry',
    run: async (scene) => {
      const room = await scene.newRoom()
      const { admin } = scene
      const user = await scene.user()
      await scene.worker([{ room }])
      const member = `/api/rooms/${room}/members/${user.user}`
      const extension = `/api/rooms/${room}/extensions/room/modifiers/Relax`
      const job = await scene.submit(room, {}, { notBefore: scene.now + 3_600_000 })
      const doAll = async (): Promise<void> => {
        await admin.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 4 })
        await admin.expect(200, 'PUT', member, { role: 'member' })
        await admin.expect(200, 'POST', `${extension}/pause`)
        await admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${job}/cancel`)
        await admin.expect(200, 'PATCH', `/api/users/${user.user}`, { role: 'user' })
      }
      await doAll()
      const before = await newest(scene)
      await doAll()
      await admin.refused(422, 'PATCH', `/api/rooms/${room}`, { weight: 0 })
      await user.refused(403, 'PATCH', `/api/rooms/${room}`, { weight: 5 })
      await user.refused(403, 'POST', `/api/users`, { user: 'x', password: 'long enough', role: 'admin' })
      await admin.refused(404, 'POST', `/api/rooms/${room}/jobs/none/cancel`)
      expect(await newest(scene)).toEqual(before)
    },
  },
]

async function newest({ admin }: ClockScene): Promise<AuditView | undefined> {
  return (await admin.get<AuditPage>('/api/audit?limit=1')).entries[0]
}

async function together(scene: ClockScene, partition: string, key: string, action: string): Promise<void> {
  const entry = await newest(scene)
  expect(entry?.action).toBe(action)
  const [record, about] = await scene.server.store.read(partition, [key, `audit/${entry?.id}`])
  expect(record?.version).toBeGreaterThan(0)
  expect(about?.version).toBe(record?.version)
}
