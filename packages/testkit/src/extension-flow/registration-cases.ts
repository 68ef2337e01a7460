// Registering and withdrawing through the server's use-cases.

import { isRefusal, type SchemaHash } from '@millrace/domain'
import { extensionPlace, settleExtension } from '@millrace/server'
import { expect } from 'vitest'
import { accepted, someone, workerOf } from '../room-flow/room-scene.ts'
import { type ExtensionCase, oneSchema, otherSchema, relax } from './extension-scene.ts'

const sam = someone('sam')
const root = someone('root')

export const registrationCases: readonly ExtensionCase[] = [
  {
    title: '[E12] the first registration owns the extension, whose record gives back all of it',
    run: async (scene) => {
      const room = await scene.room()
      const registered = accepted(await scene.register('w1', { room, policy: { short: true } }))
      expect(registered).toEqual({ id: relax, room, hash: expect.any(String), invalidates: true })
      expect(await scene.stored(room)).toMatchObject({
        id: relax,
        room,
        owner: 'olga',
        current: registered.hash,
        versions: [{ hash: registered.hash, schema: oneSchema, workers: ['w1'], policy: { short: true } }],
      })
    },
  },
  {
    title: '[E34] however many workers register at once through several replicas, each is listed once',
    run: async (scene) => {
      const room = await scene.room()
      const replicas = [scene, scene.replica(), scene.replica()]
      const names = Array.from({ length: 20 }, (_, n) => `w${n}`)
      const answers = await Promise.all(
        names.map((name, at) => scene.register(name, { room }, someone('olga'), replicas[at % 3])),
      )
      expect(answers.filter(isRefusal)).toEqual([])
      const extension = await scene.stored(room)
      expect(extension?.versions).toHaveLength(1)
      expect(extension?.versions[0]?.workers.toSorted()).toEqual(names.toSorted())
    },
  },
  {
    title: '[E13] a worker that returns with what it had changes nothing and is announced to nobody',
    run: async (scene) => {
      const room = await scene.room()
      await scene.register('w1', { room })
      await scene.register('w2', { room })
      const before = await scene.extensions.fresh(extensionPlace(relax, room))
      const announced = await scene.announced([room], () => scene.register('w1', { room }))
      expect(announced).toEqual([])
      expect(await scene.extensions.fresh(extensionPlace(relax, room))).toEqual(before)
    },
  },
  {
    title:
      '[E14] another schema is refused while live workers hold the current one, with both hashes and what differs',
    run: async (scene) => {
      const room = await scene.room()
      const { hash } = accepted(await scene.register('w1', { room }))
      const refusal = await scene.register('w2', { room, schema: otherSchema })
      expect(refusal).toMatchObject({
        refused: 'extension_schema_conflict',
        message: expect.stringContaining('changed /properties/steps/minimum, added /properties/method'),
        details: {
          currentHash: hash,
          offeredHash: expect.any(String),
          changes: [
            { change: 'changed', pointer: '/properties/steps/minimum', before: 1, after: 0 },
            { change: 'added', pointer: '/properties/method' },
          ],
        },
      })
    },
  },
  {
    title: '[E15] an old version goes with its last worker, and stays while jobs are pinned to it',
    run: async (scene) => {
      const room = await scene.room()
      const first = accepted(await scene.register('w1', { room }))
      const second = accepted(await scene.register('w1', { room, schema: otherSchema }))
      expect((await scene.stored(room))?.versions.map(({ hash }) => hash)).toEqual([second.hash])

      await scene.submitted(room, relax, second.hash)
      accepted(await scene.register('w1', { room, schema: oneSchema }))
      const extension = await scene.stored(room)
      expect(extension?.current).toBe(first.hash)
      expect(extension?.versions.map(({ hash, workers }) => [hash, workers.length]).sort()).toEqual(
        [[first.hash, 1] as const, [second.hash, 0] as const].sort(),
      )
    },
  },
  {
    title: '[E27] without pinned jobs an extension goes with its last worker',
    run: async (scene) => {
      const room = await scene.room()
      await scene.register('w1', { room })
      await scene.register('w2', { room })
      const announced = await scene.announced([room], async () => {
        expect(await scene.withdraw('w1', room)).not.toBeNull()
        expect(await scene.withdraw('w1', room)).not.toBeNull()
        expect(await scene.withdraw('w2', room)).toBeNull()
        expect(await scene.withdraw('w2', room)).toBeNull()
      })
      expect(await scene.stored(room)).toBeNull()
      const { scope, category, name } = relax
      const told = (type: string) => ({
        subject: `extension/room/modifiers/Relax`,
        event: { type, scope, category, name },
      })
      expect(announced).toEqual([told('extension:changed'), told('schema:invalidated')])
    },
  },
  {
    title: '[E28] with pinned jobs an extension stays without workers until the last of them has ended',
    run: async (scene) => {
      const room = await scene.room()
      const { hash } = accepted(await scene.register('w1', { room }))
      const jobs = [await scene.submitted(room, relax, hash), await scene.submitted(room, relax, hash)]
      expect((await scene.withdraw('w1', room))?.versions[0]?.workers).toEqual([])
      for (const job of jobs) {
        expect((await settleExtension(scene, extensionPlace(relax, room))).next).not.toBeNull()
        await scene.cancelled(room, job)
      }
      expect(await settleExtension(scene, extensionPlace(relax, room))).toEqual({
        next: null,
        invalidates: true,
      })
      expect(await settleExtension(scene, extensionPlace(relax, room))).toEqual({
        next: null,
        invalidates: false,
      })
    },
  },
  {
    title: '[E28] a global extension stays for the jobs of any room',
    run: async (scene) => {
      const id = { ...relax, scope: 'global', name: `Relax-${scene.newName()}` } as const
      const [one, two] = [await scene.room(), await scene.room()]
      const { hash, room } = accepted(await scene.register('w1', { name: id.name }, root))
      expect(room).toBeNull()
      const job = await scene.submitted(two, id, hash)
      expect(await scene.withdraw('w1', null, id)).not.toBeNull()
      await scene.submitted(one, id, 'another hash' as SchemaHash)
      await scene.cancelled(two, job)
      expect((await settleExtension(scene, extensionPlace(id, null))).next).toBeNull()
    },
  },
  {
    title: '[E34] workers that come and go at once leave exactly those that stayed',
    run: async (scene) => {
      const room = await scene.room()
      await scene.register('stays', { room })
      const names = Array.from({ length: 10 }, (_, n) => `w${n}`)
      const other = scene.replica()
      await Promise.all(names.map((name) => scene.register(name, { room }, someone('olga'), other)))
      await Promise.all(names.map((name) => scene.withdraw(name, room)))
      expect((await scene.stored(room))?.versions.map(({ workers }) => workers)).toEqual([['stays']])
    },
  },
  {
    title: '[E35] only new schemas count against the rate of a user, and not the workers that return',
    run: async (scene) => {
      const room = await scene.room()
      const offer = (n: number) => ({ room, name: `Relax${n}` })
      for (let n = 0; n < 10; n += 1) accepted(await scene.register('w1', offer(n)))
      expect(await scene.register('w1', offer(10))).toMatchObject({
        refused: 'rate_limited',
        details: { retryAfterMs: expect.any(Number) },
      })
      expect(await scene.stored(room, { ...relax, name: 'Relax10' })).toBeNull()
      for (let n = 0; n < 10; n += 1) accepted(await scene.register('w2', offer(n)))
      accepted(await scene.register('w1', { name: `Relax-${scene.newName()}` }, root))
    },
  },
  {
    title: '[E36] what may not be registered is refused before its schema is counted or compiled',
    run: async (scene) => {
      const room = await scene.room()
      const pattern = { type: 'string', pattern: '(?=a)' }
      const refusals: readonly [string, Parameters<typeof scene.register>[1], typeof sam][] = [
        ['room_not_found', { room, schema: pattern }, sam],
        ['room_not_found', { scope: 'room', schema: pattern }, root],
        ['room_not_found', { room: 'A B', schema: pattern }, root],
        ['extension_forbidden', { schema: pattern }, sam],
        ['extension_forbidden', { schema: pattern }, workerOf('root', room)],
        [
          'extension_name_reserved',
          { room, category: 'selections', name: 'all', schema: pattern },
          someone('olga'),
        ],
        ['extension_name_invalid', { room, name: 'a/b', schema: pattern }, someone('olga')],
        ['policy_invalid', { room, policy: { maxRuning: 1 }, schema: pattern }, someone('olga')],
        ['policy_out_of_range', { room, policy: { maxRunning: 0 }, schema: pattern }, someone('olga')],
        ['schema_remote_ref', { room, schema: { $ref: 'https://example.org/x' } }, someone('olga')],
        ['schema_pattern_unsupported', { room, schema: pattern }, someone('olga')],
      ]
      for (const [code, offer, who] of refusals)
        expect([code, await scene.register('w1', offer, who)]).toMatchObject([code, { refused: code }])
      expect(await scene.stored(room)).toBeNull()
    },
  },
  {
    title:
      '[E21] only an owner of the room gives an extension the name of a global one, in any case of letters',
    run: async (scene) => {
      const room = await scene.room('open')
      const name = `Relax-${scene.newName()}`
      accepted(await scene.register('g1', { name }, root))
      expect(await scene.register('w1', { room, name: name.toLowerCase() }, sam)).toMatchObject({
        refused: 'extension_forbidden',
      })
      accepted(await scene.register('w2', { room, name }, someone('olga')))
    },
  },
]
