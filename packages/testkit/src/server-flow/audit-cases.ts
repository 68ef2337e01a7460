// The audit trail as those see it who may: what is on record, what is not, and who hears of it.

import type { AuditPage, AuditView, ManyDone, WorkerToken } from '@millrace/protocol'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import { RoomEar } from './room-ear.ts'

const relax = 'room/modifiers/Relax'

export const auditCases: readonly FlowCase[] = [
  {
    title: '[Y3] what is decided about a room, its members, extensions and jobs is on record with the room',
    run: async (scene) => {
      const owner = await scene.user()
      const [room, friend] = [await scene.newRoom('private', owner), await scene.user()]
      const worker = await scene.worker([{ room }], { slots: 5 }, owner)
      await owner.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 7 })
      const member = `/api/rooms/${room}/members/${friend.user}`
      await owner.expect(200, 'PUT', member, { role: 'viewer' })
      await owner.expect(204, 'DELETE', member)
      const extension = `/api/rooms/${room}/extensions/${relax}`
      for (const what of ['pause', 'resume']) await owner.expect(200, 'POST', `${extension}/${what}`)
      await owner.expect(200, 'PUT', `${extension}/admitted/${friend.user}`)
      await owner.expect(200, 'DELETE', `${extension}/admitted/${friend.user}`)
      const waiting = await scene.submit(room, {}, { notBefore: Date.now() + 3_600_000 }, owner)
      await owner.expect(202, 'POST', `/api/rooms/${room}/jobs/${waiting}/cancel`)
      const { id: again } = await owner.expect<{ id: string }>(
        201,
        'POST',
        `/api/rooms/${room}/jobs/${waiting}/retry`,
      )
      await worker.completed(await worker.assigned.next())
      const { id: token } = await owner.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
      await owner.expect(204, 'DELETE', `/api/tokens/${token}`)

      const entries = await trailOf(owner, room)
      expect(entries.map(({ action, target }) => [action, target])).toEqual([
        ['room.create', room],
        ['room.change', room],
        ['member.set', friend.user],
        ['member.remove', friend.user],
        ['extension.pause', relax],
        ['extension.resume', relax],
        ['extension.admit', relax],
        ['extension.dismiss', relax],
        ['job.cancel', waiting],
        ['job.retry', waiting],
        ['token.create', token],
        ['token.revoke', token],
      ])
      for (const entry of entries)
        expect(entry).toMatchObject({ actor: owner.user, role: 'user', room, outcome: 'done' })
      expect(entries[1]?.details).toEqual({ weight: 7 })
      expect(entries[2]?.details).toEqual({ role: 'viewer' })
      expect(entries[9]?.details).toMatchObject({ as: again, extension: 'modifiers/Relax' })
    },
  },
  {
    title: '[Y3] accounts, sign-ins, sign-outs and decisions about workers are on record for admins',
    run: async (scene) => {
      const room = await scene.newRoom()
      const user = await scene.user()
      const worker = await scene.worker([{ room }], {}, user)
      await user.expect(200, 'POST', `/api/workers/${worker.id}/drain`)
      await user.expect(200, 'DELETE', `/api/workers/${worker.id}/drain`)
      await user.expect(200, 'POST', `/api/workers/${worker.id}/disconnect`)
      await user.expect(204, 'POST', '/api/auth/logout')
      await scene.admin.expect(200, 'PATCH', `/api/users/${user.user}`, { role: 'admin' })
      await scene.admin.expect(204, 'DELETE', `/api/users/${user.user}`)
      const all = await whole(scene)
      const about = all.filter(({ target }) => target === user.user || target === worker.id)
      expect(about.map(({ actor, action }) => [actor, action])).toEqual([
        ['root', 'user.create'],
        [user.user, 'sign_in'],
        [user.user, 'worker.drain'],
        [user.user, 'worker.undrain'],
        [user.user, 'worker.disconnect'],
        [user.user, 'sign_out'],
        ['root', 'user.change'],
        ['root', 'user.remove'],
      ])
      expect(about.map(({ room: concerned }) => concerned)).toEqual(about.map(() => null))
    },
  },
  {
    title: '[Y4] neither a password nor a token nor what was typed for a name is in the trail',
    run: async (scene) => {
      const secrets = ['password-of-one', 'another-password', 'typed-in-the-wrong-field', 'no-such-code']
      const [first, second, wrongField, code] = secrets
      const [user, room] = [scene.newName('user'), await scene.newRoom()]
      await scene.admin.expect(201, 'POST', '/api/users', { user, password: first, role: 'user' })
      await scene.admin.expect(200, 'PATCH', `/api/users/${user}`, { password: second })
      const login = (body: unknown) => scene.admin.call<{ token?: string }>('POST', '/api/auth/login', body)
      const { body: session } = await login({ user, password: second })
      expect((await login({ user, password: wrongField })).status).toBe(401)
      expect((await login({ user: wrongField, password: 'whatever it is' })).status).toBe(401)
      expect((await login({ code })).status).toBe(401)
      const made = await scene.admin.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
      const all = await whole(scene)
      const text = JSON.stringify(all)
      for (const secret of [...secrets, session.token ?? '-', made.token]) expect(text).not.toContain(secret)
      expect(all.find(({ action, target }) => action === 'user.change' && target === user)?.details).toEqual({
        password: 'changed',
      })
      const refused = all.filter(({ action, outcome }) => action === 'sign_in' && outcome === 'refused')
      expect(refused.map(({ target, details }) => [target, details])).toEqual(
        expect.arrayContaining([
          [user, { by: 'password' }],
          ['', { by: 'password' }],
          ['', { by: 'code' }],
        ]),
      )
    },
  },
  {
    title: '[Y6] a request about many jobs is one entry with its counts, and a dry run is none',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      await scene.admin.expect(200, 'POST', `/api/rooms/${room}/extensions/${relax}/pause`)
      const ids = await scene.submitMany(room, 150)
      const path = `/api/rooms/${room}/jobs/cancel`
      await scene.admin.expect<ManyDone>(200, 'POST', path, { filter: {}, dryRun: true })
      await scene.admin.expect<ManyDone>(200, 'POST', path, { filter: { extension: 'Relax', search: 'n' } })
      await scene.admin.expect<ManyDone>(200, 'POST', `/api/rooms/${room}/jobs/retry`, {
        ids: [ids[0], 'none'],
      })
      await scene.admin.expect<ManyDone>(200, 'POST', `/api/rooms/${room}/dead-letters/redrive`, {
        filter: {},
      })
      const many = (await trailOf(scene.admin, room)).filter(({ action }) => action.startsWith('job'))
      expect(many).toMatchObject([
        {
          action: 'jobs.cancel',
          outcome: 'done',
          details: { by: 'filter', extension: 'Relax', search: true, matched: 150, done: 150, refused: 0 },
        },
        { action: 'jobs.retry', outcome: 'done', details: { by: 'ids', matched: 1, done: 1, refused: 1 } },
      ])
      expect(many).toHaveLength(2)
    },
  },
  {
    title: '[Y7] the trail of a room is not for its members, and the whole of it not for its owner',
    run: async (scene) => {
      const [owner, member, stranger] = [await scene.user(), await scene.user(), await scene.user()]
      const room = await scene.newRoom('private', owner)
      await owner.expect(200, 'PUT', `/api/rooms/${room}/members/${member.user}`, { role: 'member' })
      const path = `/api/rooms/${room}/audit`
      expect(await trailOf(owner, room)).toHaveLength(2)
      expect((await member.refused(403, 'GET', path)).code).toBe('room_forbidden')
      expect((await stranger.refused(404, 'GET', path)).code).toBe('room_not_found')
      expect((await owner.refused(403, 'GET', '/api/audit')).code).toBe('admin_required')
      expect((await owner.refused(403, 'GET', `/api/audit?room=${room}`)).code).toBe('admin_required')
    },
  },
  {
    title: '[Y8] pages go newest first by actor, action, room and time, and miss nothing',
    run: async (scene) => {
      const owner = await scene.user()
      const before = Date.now() - 1_000
      const room = await scene.newRoom('open', owner)
      for (let weight = 2; weight <= 6; weight++)
        await owner.expect(200, 'PATCH', `/api/rooms/${room}`, { weight })
      await scene.admin.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 9 })
      await owner.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
      const ask = async (query: string) => (await scene.admin.get<AuditPage>(`/api/audit?${query}`)).entries
      const weights = (entries: readonly AuditView[]) => entries.map(({ details }) => details.weight)
      const here = `room=${room}`
      expect(weights(await ask(`${here}&action=room.change`))).toEqual([9, 6, 5, 4, 3, 2])
      expect(weights(await ask(`${here}&actor=${owner.user}&action=room&since=${before}`))).toEqual([
        6,
        5,
        4,
        3,
        2,
        undefined,
      ])
      expect(await ask(`${here}&until=${before - 3_600_000}`)).toEqual([])
      expect((await ask(`${here}&action=token`)).map(({ action }) => action)).toEqual(['token.create'])
      const walked: string[] = []
      for (let cursor = ''; ; ) {
        const page = await scene.admin.get<AuditPage>(`/api/rooms/${room}/audit?limit=3${cursor}`)
        walked.push(...page.entries.map(({ id }) => id))
        if (page.cursor === undefined) break
        cursor = `&cursor=${page.cursor}`
      }
      expect(walked).toEqual((await ask(`${here}&limit=100`)).map(({ id }) => id))
      expect(walked).toHaveLength(8)
      expect((await scene.admin.refused(400, 'GET', '/api/audit?cursor=job/0')).code).toBe('request_invalid')
    },
  },
  {
    title: '[Y10] another entry is told to admins and to those who manage the room, and to nobody else',
    run: async (scene) => {
      const [owner, member] = [await scene.user(), await scene.user()]
      const room = await scene.newRoom('open', owner)
      const [ownerEar, memberEar] = [await scene.ear(room, owner), await scene.ear(room, member)]
      const adminEar = await RoomEar.open(scene.admin)
      await adminEar.socket.emitWithAck('system:join', {})
      const outsider = await RoomEar.open(member)
      await outsider.socket.emitWithAck('system:join', {})
      await owner.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 3 })
      // That the room was made may be told late, to those who joined it since.
      const told = (ear: RoomEar, action: string) =>
        ear.heard.next(
          ({ event, payload }) =>
            event === 'audit:added' && payload.room === room && payload.action === action,
        )
      const [entry] = (await trailOf(owner, room)).slice(-1)
      const expected = { room, id: entry?.id, actor: owner.user, action: 'room.change', outcome: 'done' }
      for (const ear of [ownerEar, adminEar])
        expect((await told(ear, 'room.change')).payload).toEqual(expected)
      await owner.expect<WorkerToken>(201, 'POST', '/api/tokens', { room })
      for (const ear of [ownerEar, adminEar]) await told(ear, 'token.create')
      await owner.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 4 })
      await memberEar.heard.until((all) => all.filter(({ event }) => event === 'room:changed').length >= 2)
      for (const ear of [memberEar, outsider])
        expect(ear.heard.all.some(({ event }) => event === 'audit:added')).toBe(false)
    },
  },
]

/** Oldest first. */
async function trailOf(client: CheckedClient, room: string): Promise<readonly AuditView[]> {
  const { entries } = await client.get<AuditPage>(`/api/rooms/${room}/audit?limit=500`)
  return entries.toReversed()
}

async function whole(scene: FlowScene): Promise<readonly AuditView[]> {
  const { entries } = await scene.admin.get<AuditPage>('/api/audit?limit=500')
  return entries.toReversed()
}
