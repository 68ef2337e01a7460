// What is kept of the values that users submitted last, as time goes by.

import type { ExtensionId } from '@millrace/domain'
import { lastValues } from '@millrace/server'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { ClockCase, ClockScene } from './clock-scene.ts'

const day = 24 * 3_600_000
const relax: ExtensionId = { scope: 'room', category: 'modifiers', name: 'Relax' }
const camera: ExtensionId = { scope: 'room', category: 'settings', name: 'Camera' }

async function guestOf(scene: ClockScene): Promise<CheckedClient> {
  const { token } = await scene.server.guest()
  const { user } = await scene.withToken(token ?? '', 'guest').get<{ user: string }>('/api/auth/me')
  return scene.withToken(token ?? '', user)
}

/** Read from the store: nobody's session lasts as long as this. */
async function kept(scene: ClockScene, room: string, user: string, id: ExtensionId): Promise<unknown> {
  return (await lastValues(scene.server.store, room, user, id))?.values ?? null
}

async function submitBoth(client: CheckedClient, room: string, n: number): Promise<void> {
  const path = `/api/rooms/${room}/extensions/room`
  await client.expect(201, 'POST', `${path}/modifiers/Relax/submit`, { data: { n } })
  await client.expect(200, 'POST', `${path}/settings/Camera/submit`, { data: { n } })
}

export const valuesCases: readonly ClockCase[] = [
  {
    title:
      '[M183] what a guest submitted last goes after two days, and an account’s stays, its settings for good',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }, { room, category: 'settings', name: 'Camera' }])
      const [user, guest] = [await scene.user(), await guestOf(scene)]
      for (const client of [user, guest]) await submitBoth(client, room, 1)
      await scene.jump(2 * day - 1)
      for (const client of [user, guest])
        for (const id of [relax, camera]) expect(await kept(scene, room, client.user, id)).toEqual({ n: 1 })
      await scene.jump(1)
      for (const id of [relax, camera]) {
        expect(await kept(scene, room, guest.user, id)).toBeNull()
        expect(await kept(scene, room, user.user, id)).toEqual({ n: 1 })
      }
      await scene.jump(88 * day)
      expect(await kept(scene, room, user.user, relax)).toBeNull()
      expect(await kept(scene, room, user.user, camera)).toEqual({ n: 1 })
    },
  },
  {
    title: '[M183] values that are submitted again are kept as long from then on',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      const { user } = scene.admin
      await scene.submit(room, { n: 1 })
      await scene.jump(89 * day)
      const { token } = await scene.server.as('root', 'admin')
      const again = scene.withToken(token ?? '', user)
      await scene.worker([{ room }], {}, again)
      await scene.submit(room, { n: 2 }, {}, again)
      await scene.jump(90 * day - 1)
      expect(await kept(scene, room, user, relax)).toEqual({ n: 2 })
      await scene.jump(1)
      expect(await kept(scene, room, user, relax)).toBeNull()
    },
  },
]
