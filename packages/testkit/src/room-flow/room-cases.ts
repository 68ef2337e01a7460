// Rooms through the server's use-cases: who finds them, who changes them, and what everybody else hears of it.

import { isRefusal } from '@millrace/domain'
import {
  changeRoom,
  createRoom,
  listRooms,
  openRoom,
  Rooms,
  type RoomsPage,
  removeMember,
  setMember,
} from '@millrace/server'
import { expect } from 'vitest'
import { accepted, type RoomCase, someone, workerOf } from './room-scene.ts'

const olga = someone('olga')
const max = someone('max')
const sam = someone('sam')
const root = someone('root')

export const roomCases: readonly RoomCase[] = [
  {
    title: '[R3] whoever creates a room owns it, and finds it',
    run: async (scene) => {
      const name = await scene.room()
      expect(await openRoom(scene.rooms, name, olga, 'manage')).toMatchObject({
        name,
        access: 'private',
        members: [{ user: 'olga', role: 'owner' }],
      })
      expect(accepted(await createRoom(scene, olga, { name: scene.newName() })).room.access).toBe('open')
    },
  },
  {
    title: '[R4] of twenty who create one room at once, one does',
    run: async (scene) => {
      const name = scene.newName()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          createRoom({ store: scene.store, rooms: new Rooms(scene.store) }, olga, { name }),
        ),
      )
      expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
      const refused = answers.filter(isRefusal).map((answer) => answer.refused)
      expect(new Set(refused)).toEqual(new Set(['room_name_taken']))
    },
  },
  {
    title: '[R8] a private room is invisible to a stranger: opening, changing, members, lists',
    run: async (scene) => {
      const name = await scene.room()
      const nowhere = scene.newName()
      const tries = (room: string) =>
        Promise.all([
          openRoom(scene.rooms, room, sam, 'read'),
          changeRoom(scene, sam, room, { weight: 2 }),
          setMember(scene, sam, room, 'sam', 'owner'),
          removeMember(scene, sam, room, 'olga'),
        ])
      expect(await tries(name)).toEqual(await tries(nowhere))
      for (const answer of await tries(name)) expect(answer).toMatchObject({ refused: 'room_not_found' })
      expect(namesOf(await listRooms(scene, sam, before(name), 1))).not.toContain(name)
      expect(namesOf(await listRooms(scene, root, before(name), 1))).toContain(name)
    },
  },
  {
    title: '[R17] a name that no room can have is answered like one that no room has',
    run: async (scene) => {
      for (const name of ['', 'A B', 'system', '../x', 'a\0', '\ud800', 'x'.repeat(100)]) {
        expect(await openRoom(scene.rooms, name, root, 'read')).toMatchObject({ refused: 'room_not_found' })
        expect(await changeRoom(scene, root, name, {})).toMatchObject({ refused: 'room_not_found' })
      }
    },
  },
  {
    title:
      '[R18] pages of rooms go by name, hold only what the caller may read, and are filled past the rest',
    run: async (scene) => {
      const prefix = scene.newName()
      const names = Array.from({ length: 30 }, (_, n) => `${prefix}-${String(n).padStart(2, '0')}`)
      for (const [at, name] of names.entries()) await scene.room(at % 10 === 9 ? 'open' : 'private', name)
      const seen: string[] = []
      for (let after: string | undefined = prefix; ; ) {
        const page: RoomsPage = accepted(await listRooms(scene, sam, after, 2))
        seen.push(...namesOf(page).filter((name) => name.startsWith(prefix)))
        after = page.after
        if (after === undefined || !after.startsWith(prefix)) break
        expect(seen.at(-1)).toBe(after)
      }
      expect(seen).toEqual([names[9], names[19], names[29]])
      const mine = namesOf(await listRooms(scene, olga, prefix, 30))
      expect(mine).toEqual(names)
    },
  },
  {
    title: '[R18] a page goes on from the name of a room and from nothing else',
    run: async (scene) => {
      expect(await listRooms(scene, root, '\ud800', 5)).toMatchObject({ refused: 'room_name_invalid' })
    },
  },
  {
    title: '[R16] a token for one room lists that room alone',
    run: async (scene) => {
      const name = await scene.room()
      await scene.room('open')
      expect(namesOf(await listRooms(scene, workerOf('olga', name), undefined, 50))).toEqual([name])
      expect(namesOf(await listRooms(scene, workerOf('sam', name), undefined, 50))).toEqual([])
      expect(namesOf(await listRooms(scene, workerOf('olga', name), name, 50))).toEqual([])
    },
  },
  {
    title: '[R19] only a user who exists becomes a member, and only managers learn who exists',
    run: async (scene) => {
      const name = await scene.room()
      expect(await setMember(scene, olga, name, 'nobody', 'member')).toMatchObject({
        refused: 'user_not_found',
      })
      expect(await setMember(scene, olga, name, 'gast', 'owner')).toMatchObject({
        refused: 'room_guest_cannot_own',
      })
      accepted(await setMember(scene, olga, name, 'max', 'member'))
      const asked = await Promise.all(
        ['nobody', 'sam'].map((user) => setMember(scene, max, name, user, 'viewer')),
      )
      expect(asked).toEqual([
        expect.objectContaining({ refused: 'room_forbidden' }),
        expect.objectContaining({ refused: 'room_forbidden' }),
      ])
    },
  },
  {
    title: '[R12] [R15] a change says whose sockets have to go',
    run: async (scene) => {
      const name = await scene.room('open')
      expect(accepted(await setMember(scene, olga, name, 'max', 'viewer')).effects).toEqual([
        { kind: 'disconnect_user', user: 'max' },
      ])
      expect(accepted(await changeRoom(scene, olga, name, { access: 'private' }))).toMatchObject({
        room: { access: 'private' },
        effects: [{ kind: 'disconnect_strangers' }],
      })
      expect(accepted(await removeMember(scene, max, name, 'max')).effects).toEqual([
        { kind: 'disconnect_user', user: 'max' },
      ])
      expect(await openRoom(scene.rooms, name, max, 'read')).toMatchObject({ refused: 'room_not_found' })
    },
  },
  {
    title: '[R20] every change of a room is announced under its key, and what changes nothing is not',
    run: async (scene) => {
      const name = scene.newName()
      const announced = await scene.announced([name], async () => {
        await scene.room('private', name)
        await setMember(scene, olga, name, 'max', 'member')
        await setMember(scene, olga, name, 'max', 'member')
        await changeRoom(scene, max, name, { weight: 5 })
        await changeRoom(scene, olga, name, { weight: 5 })
        await changeRoom(scene, olga, name, { weight: 5, access: 'private' })
      })
      const told = { subject: `room/${name}`, event: { type: 'room:changed' } }
      expect(announced).toEqual([told, told, told])
    },
  },
  {
    title: '[R20] of many changes at once, through several replicas, none is lost',
    run: async (scene) => {
      const name = await scene.room()
      const replicas = [scene.rooms, new Rooms(scene.store), new Rooms(scene.store)]
      for (const rooms of replicas) await rooms.get(name)
      const users = Array.from({ length: 15 }, (_, n) => `user${n}`)
      const answers = await Promise.all(
        users.map((user, at) => {
          const rooms = replicas[at % replicas.length] ?? scene.rooms
          return setMember(
            { store: scene.store, rooms, roleOfUser: async () => 'user' },
            olga,
            name,
            user,
            'member',
          )
        }),
      )
      expect(answers.filter(isRefusal)).toEqual([])
      const { members } = accepted(await changeRoom(scene, olga, name, { limit: 3 })).room
      expect(members.map(({ user }) => user).sort()).toEqual(['olga', ...users].sort())
    },
  },
]

function namesOf(page: RoomsPage | Parameters<typeof accepted>[0]): readonly string[] {
  return (accepted(page) as RoomsPage).rooms.map(({ name }) => name)
}

/** A name that sorts just before this one, so that the first room after it is this one. */
function before(name: string): string {
  return name.slice(0, -1)
}
