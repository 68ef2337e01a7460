// Who is in a room: asked for, and told when it changes.

import type { PresenceView } from '@millrace/protocol'
import { expect } from 'vitest'
import { tell } from './checked-client.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import type { RoomEar } from './room-ear.ts'

const presence = (scene: FlowScene, room: string): Promise<PresenceView> =>
  scene.admin.get<PresenceView>(`/api/rooms/${room}/presence`)

/** Resolves when this is what was told of the room, past so much that was heard before. */
export async function toldPresence(
  ear: RoomEar,
  people: PresenceView['people'],
  heardBefore = 0,
): Promise<void> {
  const expected = JSON.stringify(people.toSorted((a, b) => (a.user < b.user ? -1 : 1)))
  await ear.heard.until((all) =>
    all
      .slice(heardBefore)
      .some(
        ({ event, payload }) =>
          event === 'presence:changed' && JSON.stringify(payload['people']) === expected,
      ),
  )
}

export const presenceCases: readonly FlowCase[] = [
  {
    title:
      '[G11] those in a room are named with their sessions, and whoever is there hears who comes and goes',
    run: async (scene) => {
      const room = await scene.newRoom()
      expect(await presence(scene, room)).toEqual({ room, people: [], count: 0 })
      const user = await scene.user()
      const ear = await scene.ear(room)
      const [first, second] = [await scene.ear(room, user), await scene.ear(room, user)]
      await toldPresence(ear, [
        { user: scene.admin.user, sessions: 1 },
        { user: user.user, sessions: 2 },
      ])
      expect((await presence(scene, room)).people).toContainEqual({ user: user.user, sessions: 2 })
      // The admin was alone before as well, and may have been told so.
      const heardBefore = ear.heard.all.length
      await first.join(room)
      await tell(first.socket, 'room:leave', { room })
      second.socket.close()
      await toldPresence(ear, [{ user: scene.admin.user, sessions: 1 }], heardBefore)
      expect(await presence(scene, room)).toEqual({
        room,
        people: [{ user: scene.admin.user, sessions: 1 }],
        count: 1,
      })
    },
  },
  {
    title: '[G11] who comes is outside the sequence of the room',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const { sequence } = ear.joined
      const user = await scene.user()
      await scene.ear(room, user)
      await toldPresence(ear, [
        { user: scene.admin.user, sessions: 1 },
        { user: user.user, sessions: 1 },
      ])
      const worker = await scene.worker([{ room }])
      await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      await ear.states.until((all) => all.some(({ status }) => status === 'completed'))
      const batches = ear.batches(room)
      expect(batches[0]?.from).toBe((sequence ?? 0) + 1)
      for (const [n, { from }] of batches.slice(1).entries()) expect(from).toBe((batches[n]?.to ?? 0) + 1)
    },
  },
]
