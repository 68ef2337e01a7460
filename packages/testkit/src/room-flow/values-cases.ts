// What users submitted last, through the server's use-cases.

import type { ExtensionId } from '@millrace/domain'
import { lastValues, storeValues } from '@millrace/server'
import { expect } from 'vitest'
import type { RoomCase } from './room-scene.ts'

const camera: ExtensionId = { scope: 'room', category: 'settings', name: 'Camera' }

export const valuesCases: readonly RoomCase[] = [
  {
    title: '[E39] the last values are kept for each room, user and extension',
    run: async ({ store, newName }) => {
      const [room, other] = [newName(), newName()]
      expect(await lastValues(store, room, 'olga', camera)).toBeNull()
      await storeValues(store, room, 'olga', camera, { zoom: 1 })
      const kept = await storeValues(store, room, 'olga', camera, { zoom: 2, ü: [null, '\n'] })
      expect(await lastValues(store, room, 'olga', camera)).toEqual(kept)
      expect(kept.values).toEqual({ zoom: 2, ü: [null, '\n'] })
      expect(await lastValues(store, other, 'olga', camera)).toBeNull()
      expect(await lastValues(store, room, 'max', camera)).toBeNull()
      expect(await lastValues(store, room, 'olga', { ...camera, scope: 'global' })).toBeNull()
    },
  },
  {
    title: '[E39] a slash in a name does not mean the values of another',
    run: async ({ store, newName }) => {
      const room = newName()
      await storeValues(store, room, 'a/room', camera, 1)
      expect(await lastValues(store, room, 'a', { ...camera, category: 'room' })).toBeNull()
      expect(await lastValues(store, room, 'a/room', camera)).toMatchObject({ values: 1 })
    },
  },
  {
    title: '[E40] a change of values is announced with its user and extension',
    run: async (scene) => {
      const room = scene.newName()
      const announced = await scene.announced([room], () =>
        storeValues(scene.store, room, 'olga', camera, { zoom: 1 }),
      )
      const event = {
        type: 'values:changed',
        user: 'olga',
        scope: 'room',
        category: 'settings',
        name: 'Camera',
      }
      expect(announced).toEqual([{ subject: 'values/4/olga/room/settings/Camera', event }])
    },
  },
]
