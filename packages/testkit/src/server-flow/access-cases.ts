// Who hears and who is cut off: private rooms, memberships that end, tokens that are revoked.

import type { KeptToken, WorkerToken } from '@millrace/protocol'
import { expect } from 'vitest'
import { tell } from './checked-client.ts'
import type { FlowCase } from './flow-scene.ts'
import { RoomEar } from './room-ear.ts'

export const accessCases: readonly FlowCase[] = [
  {
    title: '[M19] a private room does not exist for strangers: nothing is heard, listed or counted',
    run: async (scene) => {
      const [owner, stranger] = [await scene.user(), await scene.user()]
      const [room, open] = [await scene.newRoom('private', owner), await scene.newRoom('open', owner)]
      const worker = await scene.worker([{ room }, { room: open }], {}, owner)
      const ear = await RoomEar.open(stranger)
      const refused = await tell<{ problem: { code: string } }>(ear.socket, 'room:join', { room })
      expect(refused.problem.code).toBe('room_not_found')
      await ear.join(open)

      const id = await scene.submit(room, { secret: 1 }, {}, owner)
      await worker.completed(await worker.assigned.next())
      const seen = await scene.submit(open, {}, {}, owner)
      await worker.completed(await worker.assigned.next())
      await ear.reached(seen, 'completed')
      expect(ear.states.all.some((one) => one.id === id)).toBe(false)

      const hidden = [`/api/rooms/${room}`, `/api/rooms/${room}/jobs`, `/api/rooms/${room}/jobs/${id}`]
      const extension = `/api/rooms/${room}/extensions/room/modifiers/Relax`
      for (const path of [...hidden, `/api/rooms/${room}/extensions`, `${extension}/stats`])
        expect((await stranger.refused(404, 'GET', path)).code).toBe('room_not_found')
      const body = { category: 'modifiers', extension: 'Relax', data: {} }
      expect((await stranger.refused(404, 'POST', `/api/rooms/${room}/jobs`, body)).code).toBe(
        'room_not_found',
      )
      for (const path of ['/api/rooms?limit=500', '/api/jobs?limit=500', '/api/extensions/overview']) {
        expect(JSON.stringify(await stranger.get(path))).not.toContain(room)
        expect(JSON.stringify(await owner.get(path))).toContain(room)
      }
      const [mine] = (await stranger.get<{ workers: { id: string }[] }>('/api/workers')).workers.filter(
        (one) => one.id === worker.id,
      )
      expect(JSON.stringify(mine)).not.toContain(room)
    },
  },
  {
    title: '[M190] a room that is made or changed is told, without its name, to those who may see it',
    run: async (scene) => {
      const [owner, member, stranger] = [await scene.user(), await scene.user(), await scene.user()]
      const people = [owner, member, stranger, scene.admin]
      const ears = await Promise.all(people.map((one) => RoomEar.open(one)))
      for (const ear of ears) await tell(ear.socket, 'system:join', {})
      const aside = await RoomEar.open(owner)
      const told = (ear: RoomEar | undefined) =>
        (ear?.heard.all ?? []).filter(({ event }) => event === 'rooms:changed').map(({ payload }) => payload)
      const heard = (count: number, ...some: readonly (RoomEar | undefined)[]) =>
        Promise.all(some.map(async (ear) => ear?.heard.until(() => told(ear).length >= count)))
      const [hers, theirs, his, admins] = ears
      const room = await scene.newRoom('private', owner)
      await heard(1, hers, admins)
      await owner.expect(200, 'PUT', `/api/rooms/${room}/members/${member.user}`, { role: 'member' })
      await heard(2, hers, admins)
      await heard(1, theirs)
      const open = await scene.newRoom('open', owner)
      await heard(3, hers, admins)
      await heard(2, theirs)
      await heard(1, his)
      await aside.join(open)
      await owner.expect(200, 'PATCH', `/api/rooms/${open}`, { weight: 3 })
      await heard(2, his)
      await aside.heard.next(({ event }) => event === 'room:changed')
      expect(told(his)).toEqual([{}, {}])
      expect(told(aside)).toEqual([])
    },
  },
  {
    title: '[M20] a membership that ends cuts the sockets that heard the room, and no others',
    run: async (scene) => {
      const [owner, member] = [await scene.user(), await scene.user()]
      const room = await scene.newRoom('private', owner)
      const path = `/api/rooms/${room}/members/${member.user}`
      await owner.expect(200, 'PUT', path, { role: 'member' })
      const [his, hers] = [await scene.ear(room, member), await scene.ear(room, owner)]
      await owner.expect(204, 'DELETE', path)
      await his.cut()
      await member.refused(404, 'GET', `/api/rooms/${room}`)
      await scene.worker([{ room }], {}, owner)
      await hers.heard.next(({ event }) => event === 'schema:invalidated')
      expect(hers.socket.connected).toBe(true)
    },
  },
  {
    title: '[M20] a member who becomes a viewer is cut, comes back, and can only look',
    run: async (scene) => {
      const [owner, member] = [await scene.user(), await scene.user()]
      const room = await scene.newRoom('private', owner)
      const path = `/api/rooms/${room}/members/${member.user}`
      await owner.expect(200, 'PUT', path, { role: 'member' })
      const before = await scene.ear(room, member)
      const hers = await scene.ear(room, owner)
      await owner.expect(200, 'PUT', path, { role: 'viewer' })
      await before.cut()
      await hers.heard.next(({ event }) => event === 'room:changed')
      await scene.ear(room, member)
      await scene.worker([{ room }], {}, owner)
      const body = { category: 'modifiers', extension: 'Relax', data: {} }
      expect((await member.refused(403, 'POST', `/api/rooms/${room}/jobs`, body)).code).toBe('room_forbidden')
      expect(hers.socket.connected).toBe(true)
    },
  },
  {
    title: '[M20] a room that becomes private cuts strangers off',
    run: async (scene) => {
      const [owner, stranger] = [await scene.user(), await scene.user()]
      const room = await scene.newRoom('open', owner)
      const [his, hers] = [await scene.ear(room, stranger), await scene.ear(room, owner)]
      await owner.expect(200, 'PATCH', `/api/rooms/${room}`, { access: 'private' })
      await his.cut()
      expect(hers.socket.connected).toBe(true)
    },
  },
  {
    title:
      '[M21] a worker whose user may no longer see the room gets none of its jobs, and what it ran for it goes to others',
    run: async (scene) => {
      const [owner, member] = [await scene.user(), await scene.user()]
      const room = await scene.newRoom('private', owner)
      const path = `/api/rooms/${room}/members/${member.user}`
      await owner.expect(200, 'PUT', path, { role: 'member' })
      const ear = await scene.ear(room, owner)
      const isNews = ({ event }: { readonly event: string }): boolean => event === 'schema:invalidated'
      const theirs = await scene.worker([{ room }], {}, member)
      await ear.heard.next(isNews)
      const running = await scene.submit(room, {}, {}, owner)
      await theirs.started(await theirs.assigned.next())
      await owner.expect(204, 'DELETE', path)
      await ear.heard.next(isNews)
      const mine = await scene.worker([{ room }], { slots: 6 }, owner)
      const jobs = await Promise.all(Array.from({ length: 5 }, () => scene.submit(room, {}, {}, owner)))
      const given = await mine.assigned.take(6)
      expect(given.map(({ id }) => id).toSorted()).toEqual([running, ...jobs].toSorted())
      expect(theirs.assigned.all).toHaveLength(1)
    },
  },
  {
    title: '[M22] a token for one room reaches that room only, and its sockets are cut when it is revoked',
    run: async (scene) => {
      const owner = await scene.user()
      const [room, other] = [await scene.newRoom('private', owner), await scene.newRoom('private', owner)]
      const made = await owner.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
      const limited = scene.withToken(made.token, owner.user)
      const worker = await scene.worker([{ room }], {}, limited)
      await limited.refused(404, 'GET', `/api/rooms/${other}/jobs`)
      const elsewhere = await tell<{ problem: { status: number } }>(worker.socket, 'room:join', {
        room: other,
      })
      expect(elsewhere.problem.status).toBe(404)
      const id = await scene.submit(room, {}, {}, owner)
      const job = await worker.assigned.next()
      expect(await worker.completed(job)).toBe('completed')
      expect(job.id).toBe(id)

      const cut = new Promise<void>((resolve) => worker.socket.once('disconnect', () => resolve()))
      const untouched = await scene.ear(room, owner)
      await owner.expect(204, 'DELETE', `/api/tokens/${made.id}`)
      await cut
      expect((await limited.refused(401, 'GET', `/api/rooms/${room}`)).code).toMatch(/^credential_/)
      await expect(limited.socket()).rejects.toThrow('credential_')
      expect(untouched.socket.connected).toBe(true)
    },
  },
  {
    title:
      '[U21] [U24] tokens that hold are seen and revoked by their maker, by owners of the room and by admins',
    run: async (scene) => {
      const [owner, maker, stranger] = [await scene.user(), await scene.user(), await scene.user()]
      const room = await scene.newRoom('open', owner)
      const make = (): Promise<WorkerToken> => maker.expect(201, 'POST', '/api/tokens', { room })
      const [first, second] = [await make(), await make()]
      const ids = async (who: typeof owner, path = '/api/tokens'): Promise<readonly string[]> =>
        (await who.get<{ tokens: readonly KeptToken[] }>(path)).tokens.map(({ id }) => id)
      const ofRoom = `/api/rooms/${room}/tokens`

      expect(await ids(maker)).toEqual([second.id, first.id])
      expect(await ids(owner, ofRoom)).toEqual([second.id, first.id])
      expect(await ids(scene.admin)).toEqual(expect.arrayContaining([first.id, second.id]))
      expect(await ids(owner)).toEqual([])
      expect(await ids(stranger)).toEqual([])
      expect((await stranger.refused(403, 'GET', ofRoom)).code).toBe('room_forbidden')
      expect(JSON.stringify(await owner.get(ofRoom))).not.toContain(first.token)

      await stranger.refused(404, 'DELETE', `/api/tokens/${first.id}`)
      await owner.expect(204, 'DELETE', `/api/tokens/${first.id}`)
      expect(await ids(maker)).toEqual([second.id])
      await maker.expect(200, 'PATCH', `/api/users/${maker.user}`, { password: 'another password' })
      expect(await ids(owner, ofRoom)).toEqual([])
    },
  },
  {
    title: '[M22] signing out, a new password and a removed account cut their sockets',
    run: async (scene) => {
      const [first, second, third] = [await scene.user(), await scene.user(), await scene.user()]
      const ears = await Promise.all([first, second, third].map((user) => RoomEar.open(user)))
      const elsewhere = await RoomEar.open(await scene.signIn(first.user))
      await first.expect(204, 'POST', '/api/auth/logout')
      await scene.admin.expect(200, 'PATCH', `/api/users/${second.user}`, { password: 'another password' })
      await scene.admin.expect(204, 'DELETE', `/api/users/${third.user}`)
      for (const ear of ears) await ear.cut()
      expect(elsewhere.socket.connected).toBe(true)
    },
  },
]
