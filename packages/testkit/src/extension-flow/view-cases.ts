// Extensions as rooms see them, and who may serve them.

import type { Extension, WorkerId } from '@millrace/domain'
import { admitUser, dismissUser, getExtension, listExtensions, setMember } from '@millrace/server'
import { expect } from 'vitest'
import { accepted, someone } from '../room-flow/room-scene.ts'
import { type ExtensionCase, otherSchema, relax } from './extension-scene.ts'

const olga = someone('olga')
const max = someone('max')
const sam = someone('sam')
const root = someone('root')

export const viewCases: readonly ExtensionCase[] = [
  {
    title:
      '[E37] a room sees its own extensions and the global ones, with workers, what waits and what hides them',
    run: async (scene) => {
      const [room, other] = [await scene.room(), await scene.room()]
      const name = `Relax-${scene.newName()}`
      const global = accepted(await scene.register('g1', { name, schema: otherSchema }, root))
      const own = accepted(await scene.register('w1', { room, name }))
      await scene.register('w2', { room, name })
      await scene.submitted(room, own.id, own.hash)
      await scene.submitted(room, global.id, global.hash)
      await scene.submitted(other, global.id, global.hash)
      await scene.submitted(other, global.id, global.hash)

      const seen = (await listExtensions(scene, await scene.opened(room))).filter(
        (each) => each.name === name,
      )
      expect(seen).toMatchObject([
        {
          scope: 'room',
          hash: own.hash,
          owner: 'olga',
          workers: 2,
          pending: 1,
          shadowedBy: null,
          waitingFor: [],
        },
        {
          scope: 'global',
          hash: global.hash,
          workers: 1,
          pending: 1,
          shadowedBy: 'room',
          schema: otherSchema,
        },
      ])
      const elsewhere = await listExtensions(scene, await scene.opened(other))
      expect(elsewhere.filter((each) => each.name === name)).toMatchObject([
        { scope: 'global', pending: 2, shadowedBy: null },
      ])
    },
  },
  {
    title: '[E28] what an extension without workers waits for is said to the room whose jobs wait',
    run: async (scene) => {
      const room = await scene.room()
      const { hash } = accepted(await scene.register('w1', { room }))
      await scene.submitted(room, relax, hash)
      await scene.withdraw('w1', room)
      expect(await getExtension(scene, await scene.opened(room), relax)).toMatchObject({
        workers: 0,
        pending: 1,
        waitingFor: [hash],
        versions: [{ hash, workers: [], current: true }],
      })
    },
  },
  {
    title: '[G16] a version that jobs still wait for says what it has otherwise than the current one',
    run: async (scene) => {
      const room = await scene.room()
      const old = accepted(await scene.register('w1', { room }))
      await scene.submitted(room, relax, old.hash)
      await scene.withdraw('w1', room)
      const current = accepted(await scene.register('w2', { room, schema: otherSchema }))
      const { versions } = accepted(await getExtension(scene, await scene.opened(room), relax))
      expect(versions.find(({ hash }) => hash === current.hash)?.changes).toEqual([])
      expect(versions.find(({ hash }) => hash === old.hash)?.changes).not.toEqual([])
    },
  },
  {
    title: '[E38] an extension out of reach, or under a name that none can have, is not found',
    run: async (scene) => {
      const [room, other] = [await scene.opened(await scene.room()), await scene.opened(await scene.room())]
      accepted(await scene.register('w1', { room: other.name }))
      for (const id of [
        relax,
        { ...relax, name: '' },
        { ...relax, category: 'A/B' },
        { ...relax, name: '\ud800' },
      ]) {
        expect(await getExtension(scene, room, id)).toMatchObject({ refused: 'extension_not_found' })
        expect(await admitUser(scene, olga, room, id, 'max')).toMatchObject({
          refused: 'extension_not_found',
        })
      }
    },
  },
  {
    title:
      '[E18] [E19] workers of another join when their user is admitted, and are named when he is dismissed',
    run: async (scene) => {
      const room = await scene.room('open')
      accepted(await scene.register('w1', { room }, max))
      expect(await scene.register('w2', { room }, sam)).toMatchObject({ refused: 'extension_forbidden' })
      const opened = await scene.opened(room)
      expect(await admitUser(scene, sam, opened, relax, 'sam')).toMatchObject({
        refused: 'extension_forbidden',
      })
      expect(await admitUser(scene, sam, opened, relax, 'nobody')).toMatchObject({
        refused: 'extension_forbidden',
      })
      expect(await admitUser(scene, max, opened, relax, 'nobody')).toMatchObject({
        refused: 'user_not_found',
      })
      expect(accepted(await admitUser(scene, max, opened, relax, 'sam')).admitted).toEqual(['sam'])
      accepted(await scene.register('w2', { room }, sam))

      const parts = Object.assign(scene, { workersOf: async () => ['w2', 'idle'] as WorkerId[] })
      const dismissed = accepted(await dismissUser(parts, max, opened, relax, 'sam'))
      expect(dismissed).toMatchObject({ extension: { admitted: [] }, withdraw: ['w2'] })
      expect(accepted(await dismissUser(parts, max, opened, relax, 'sam')).withdraw).toEqual(['w2'])
    },
  },
  {
    title: '[E19] nobody who may serve for another reason is withdrawn by a dismissal',
    run: async (scene) => {
      const room = await scene.room('open')
      accepted(await setMember(scene, olga, room, 'sam', 'owner'))
      accepted(await scene.register('w1', { room }, max))
      accepted(await scene.register('w2', { room }, sam))
      const parts = Object.assign(scene, { workersOf: async () => ['w1', 'w2'] as WorkerId[] })
      const opened = await scene.opened(room)
      for (const user of ['max', 'sam']) {
        expect(accepted(await dismissUser(parts, max, opened, relax, user)).withdraw).toEqual([])
      }
    },
  },
  {
    title: '[E37] a replica that forgets what was announced sees what another changed',
    run: async (scene) => {
      const room = await scene.room()
      const other = scene.replica()
      const named = { category: relax.category, name: relax.name }
      expect(await other.extensions.inReach(room, named)).toEqual([])
      const announced = await scene.announced([room], () => scene.register('w1', { room }))
      for (const { subject } of announced) other.extensions.forget(room, subject)
      const inReach = await other.extensions.inReach(room, named)
      expect(inReach.map(({ id }: Extension) => id)).toEqual([relax])
    },
  },
]
