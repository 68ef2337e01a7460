import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type {
  ExtensionView,
  KeptToken,
  RoomView,
  UserView,
  WorkerToken,
  WorkerView,
} from '@millrace/protocol'
import { createLoginCode, openSqliteStore } from '@millrace/server'
import { describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { startTestServer } from '../server/test-server.ts'
import { breakIt } from '../server-flow/breaker-cases.ts'
import { describeCases } from './noun-flow.ts'
import { type NounCase, NounScene } from './noun-scene.ts'

const password = 'a password of one'

/** Nothing but the address: who one is has to come from a profile. */
const nobody = (scene: NounScene): Record<string, string> => ({ MILLRACE_TOKEN: '', MILLRACE_URL: scene.url })

const cases: readonly NounCase[] = [
  {
    title: '[N11] a password signs in from stdin, the profile is used from then on, and logout ends both',
    run: async (scene) => {
      const user = scene.newName('user')
      const made = await scene.millrace(['users', 'create', user], {}, `${password}\n`)
      expect(made).toMatchObject({ code: 0 })
      const env = { MILLRACE_TOKEN: '', MILLRACE_URL: '' }
      const login = ['login', '--url', scene.url, '--user', user, '--profile', 'mine', '--json']
      const signedIn = JSON.parse(await scene.says(login, env, password)) as object
      expect(signedIn).toMatchObject({ profile: 'mine', url: scene.url, user, role: 'user' })
      const file = scene.env.MILLRACE_PROFILES ?? ''
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(await scene.json(['whoami'], env)).toMatchObject({ user, profile: 'mine', url: scene.url })
      const { token } = (JSON.parse(readFileSync(file, 'utf8')) as { profiles: { mine: { token: string } } })
        .profiles.mine
      expect(await scene.says(['profiles', 'ls', '--json'], env)).not.toContain(token)
      expect(await scene.says(['logout'], env)).toContain('Profile mine is forgotten')
      const after = await scene.millrace(['whoami'], {
        ...env,
        MILLRACE_URL: scene.url,
        MILLRACE_TOKEN: token,
      })
      expect(after).toMatchObject({ code: 4, out: '' })
      expect(await scene.json(['profiles', 'ls'], env)).toEqual({ profiles: [] })
    },
  },
  {
    title: '[N12] a wrong password, none at all, and nobody to ask are told apart',
    run: async (scene) => {
      const env = nobody(scene)
      const [wrong, none, who, both] = await Promise.all([
        scene.millrace(['login', '--user', 'root'], env, 'no such password\n'),
        scene.millrace(['login', '--user', 'root'], env, ''),
        scene.millrace(['login'], env, ''),
        scene.millrace(['login', 'code', '--guest'], env),
      ])
      expect(wrong).toMatchObject({ code: 4, out: '' })
      expect(none.err).toContain('No password was given')
      expect(who.err).toContain('--user <name>, or --guest')
      expect([none.code, who.code, both.code]).toEqual([2, 2, 2])
    },
  },
  {
    title: '[N11] a guest signs in, and several profiles are told apart by name',
    run: async (scene) => {
      const env = nobody(scene)
      await scene.says(['login', '--guest', '--profile', 'one', '--room', 'somewhere'], env)
      await scene.says(['login', '--guest', '--profile', 'two'], env)
      const listed = await scene.json<{ profiles: { name: string; current: boolean; room?: string }[] }>([
        'profiles',
        'ls',
      ])
      expect(listed.profiles).toMatchObject([
        { name: 'one', current: false, room: 'somewhere' },
        { name: 'two', current: true },
      ])
      await scene.says(['profiles', 'use', 'one'], env)
      const me = await scene.json<{ user: string; profile: string; means: string }>(['whoami'], env)
      expect(me).toMatchObject({ profile: 'one', means: 'somewhere' })
      expect(me.user).toMatch(/^guest-/)
      await scene.says(['profiles', 'rm', 'one'], env)
      expect(await scene.millrace(['profiles', 'use', 'one'], env)).toMatchObject({ code: 2, out: '' })
      const unknown = await scene.millrace(['whoami', '--profile', 'one'], env)
      expect(unknown).toMatchObject({ code: 2 })
      expect(unknown.err).toContain('There are: two.')
    },
  },
  {
    title: '[N28] rooms are made, listed, shown, opened and closed, limited and weighed, and kept in mind',
    run: async (scene) => {
      const room = scene.newName('room')
      const run = (...args: readonly string[]): Promise<RoomView> => scene.json<RoomView>(['rooms', ...args])
      expect(await run('create', room, '--private')).toMatchObject({ name: room, access: 'private' })
      expect(await run('access', room, 'open')).toMatchObject({ access: 'open' })
      expect(await run('limit', room, '4')).toMatchObject({ limit: 4 })
      expect(await run('limit', room, 'none')).toMatchObject({ limit: null })
      expect(await run('weight', room, '3')).toMatchObject({ weight: 3 })
      expect(await run('get', room)).toMatchObject({ name: room, weight: 3, standing: 'owner' })
      expect(await scene.says(['rooms', 'get', room])).toMatch(new RegExp(`^room +${room}\\naccess +open`))
      const { rooms } = await scene.json<{ rooms: RoomView[] }>(['rooms', 'ls'])
      expect(rooms.map(({ name }) => name)).toContain(room)
      expect(await scene.millrace(['rooms', 'access', room, 'ajar'])).toMatchObject({ code: 2 })
      expect(await scene.millrace(['rooms', 'weight', room, '1000'])).toMatchObject({ code: 1 })
      expect(await scene.millrace(['rooms', 'create', room])).toMatchObject({ code: 1 })
      await scene.says(['login', '--guest', '--profile', 'here'], nobody(scene))
      await scene.says(['rooms', 'use', room], nobody(scene))
      expect(await scene.json(['rooms', 'get'], nobody(scene))).toMatchObject({
        name: room,
        standing: 'member',
      })
    },
  },
  {
    title: '[N28] members come, change and go',
    run: async (scene) => {
      const room = await scene.newRoom('private')
      const { user } = await scene.user()
      const run = (...args: readonly string[]): Promise<object> => scene.json(['rooms', 'members', ...args])
      const owner = { user: 'root', role: 'owner' }
      expect(await run('add', room, user, '--role', 'viewer')).toEqual({
        members: expect.arrayContaining([owner, { user, role: 'viewer' }]),
      })
      expect(await run('rm', room, user)).toEqual({ room, user, removed: true })
      expect(await run('ls', room)).toEqual({ members: [owner] })
      expect(await scene.millrace(['rooms', 'members', 'rm', room, 'root'])).toMatchObject({ code: 1 })
    },
  },
  {
    title: '[N28] accounts are made, listed, changed and removed by admins, with passwords from stdin',
    run: async (scene) => {
      const user = scene.newName('user')
      const made = await scene.millrace(['users', 'create', user, '--role', 'admin', '--json'], {}, password)
      expect(JSON.parse(made.out)).toMatchObject({ user, role: 'admin' })
      expect(await scene.json(['users', 'role', user, 'user'])).toMatchObject({ user, role: 'user' })
      await scene.says(['users', 'password', user], {}, 'another password')
      const env = nobody(scene)
      expect((await scene.millrace(['login', '--user', user], env, password)).code).toBe(4)
      expect((await scene.millrace(['login', '--user', user], env, 'another password')).code).toBe(0)
      const forbidden = await scene.millrace(['users', 'ls'], env)
      expect(forbidden).toMatchObject({ code: 4, out: '' })
      expect(forbidden.err).toContain('admin')
      const { users } = await scene.json<{ users: UserView[] }>(['users', 'ls'])
      expect(users.map((one) => one.user)).toContain(user)
      expect(await scene.says(['users', 'rm', user])).toContain('no account any more')
      expect(await scene.millrace(['users', 'rm', user])).toMatchObject({ code: 1 })
    },
  },
  {
    title: '[N28] a token is printed alone, reaches its room, and is revoked by its id',
    run: async (scene) => {
      const room = await scene.newRoom()
      const made = await scene.millrace(['tokens', 'create', '--room', room, '--expires', '10m'])
      expect(made.err).toContain(`reaches room ${room}`)
      const env = { MILLRACE_TOKEN: made.out.trim() }
      expect(await scene.json(['whoami'], env)).toMatchObject({ user: 'root', room })
      expect((await scene.millrace(['rooms', 'ls'], env)).code).toBe(4)
      const token = await scene.json<WorkerToken>(['tokens', 'create', '--room', room])
      await scene.says(['tokens', 'revoke', token.id])
      expect((await scene.millrace(['whoami'], { MILLRACE_TOKEN: token.token })).code).toBe(4)
      const pool = await scene.json<WorkerToken>(['tokens', 'create', '--pool', '--expires', '30d'])
      expect(pool).toMatchObject({ room: null })
      expect(await scene.json(['whoami'], { MILLRACE_TOKEN: pool.token })).toMatchObject({ role: 'pool' })
      expect((await scene.millrace(['tokens', 'create', '--pool', '--room', room])).code).toBe(2)
      expect((await scene.millrace(['tokens', 'create'])).err).toContain('No room was named')
    },
  },
  {
    title: '[N94] tokens that hold are listed without themselves, and one that is revoked no longer',
    run: async (scene) => {
      const room = await scene.newRoom()
      const make = (...args: string[]): Promise<WorkerToken> => scene.json(['tokens', 'create', ...args])
      const [worker, pool] = [await make('--room', room), await make('--pool')]
      const listed = async (...args: string[]): Promise<readonly KeptToken[]> =>
        (await scene.json<{ tokens: readonly KeptToken[] }>(['tokens', 'ls', ...args])).tokens
      expect((await listed()).map(({ id }) => id)).toEqual(expect.arrayContaining([worker.id, pool.id]))
      const { token: _token, ...about } = worker
      expect(await listed('--room', room)).toEqual([
        { ...about, madeBy: 'root', createdAt: expect.any(Number) },
      ])
      const shown = await scene.says(['tokens', 'ls', '--room', room])
      expect(shown).toMatch(new RegExp(`^${worker.id} {2}room ${room} {2}root .* in `, 'm'))
      expect(shown).not.toContain(worker.token)
      await scene.says(['tokens', 'revoke', worker.id])
      expect(await scene.says(['tokens', 'ls', '--room', room])).toContain('No tokens.')
      expect((await scene.millrace(['tokens', 'ls', '--room', 'nowhere'])).code).toBe(1)
    },
  },
  {
    title: '[N30] an extension is shown with its fields in words, its workers and how to run it',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const { extensions } = await scene.json<{ extensions: ExtensionView[] }>(['extensions', 'ls'], env)
      expect(extensions).toMatchObject([{ category: 'modifiers', name: 'Relax', workers: 1 }])
      expect(await scene.says(['extensions', 'ls', '--room', room])).toMatch(
        /^modifiers\/Relax +room +1 +0 +Relax the current frame\.$/m,
      )
      const shown = await scene.says(['extensions', 'get', 'Relax'], env)
      expect(shown).toMatch(/^steps +integer +100 +1 to 10000 +at most so many$/m)
      expect(shown).toMatch(/^cell\.pbc +boolean/m)
      expect(shown).toContain('Run it: millrace submit modifiers/Relax --follow')
      expect(await scene.json(['extensions', 'get', 'modifiers/Relax'], env)).toMatchObject({
        scope: 'room',
        stats: { workers: 1, freeSlots: 1 },
      })
    },
  },
  {
    title:
      '[N59] [N105] an extension is paused and resumed, and a breaker is shown and reset, in words and as JSON',
    run: async (scene) => {
      const { room, env, worker } = await scene.lab()
      const paused = await scene.json<ExtensionView>(['extensions', 'pause', 'Relax'], env)
      expect(paused.paused?.by).toBe('root')
      expect(await scene.says(['extensions', 'ls'], env)).toMatch(/^modifiers\/Relax +room +1 +0, paused/m)
      expect(await scene.says(['extensions', 'get', 'Relax'], env)).toMatch(/^paused +by root at /m)
      const resumed = await scene.says(['extensions', 'resume', 'modifiers/Relax'], env)
      expect(resumed).toBe('Jobs of modifiers/Relax go on.\n')

      await breakIt(scene, room, await scene.ear(room), worker)
      const waiting = await scene.submit(room)
      expect(await scene.says(['extensions', 'ls'], env)).toMatch(
        /^modifiers\/Relax +room +1 +1, breaker open/m,
      )
      expect(await scene.says(['extensions', 'get', 'Relax'], env)).toMatch(/^breaker +open, .* in \d+ s$/m)
      const why = await scene.says(['why', waiting], env)
      expect(why).toMatch(/^why +The breaker is open until /m)
      expect(why).toContain('millrace extensions reset modifiers/Relax\n')
      expect(await scene.says(['extensions', 'reset', 'Relax'], env)).toBe('Jobs of modifiers/Relax go on.\n')
      expect((await worker.assigned.next()).id).toBe(waiting)
      expect(await scene.json(['extensions', 'get', 'Relax'], env)).toMatchObject({
        breaker: { state: 'closed', until: null },
      })
      expect(await scene.says(['extensions', 'reset', 'Relax'], env)).toBe(
        'No breaker was open. Jobs of modifiers/Relax go on.\n',
      )
    },
  },
  {
    title: '[N28] workers are listed and shown with what they serve and have free',
    run: async (scene) => {
      const { worker, room } = await scene.lab()
      const { workers } = await scene.json<{ workers: WorkerView[] }>(['workers', 'ls'])
      expect(workers.find(({ id }) => id === worker.id)).toMatchObject({ kind: 'client', user: 'root' })
      expect(await scene.says(['workers', 'ls'])).toMatch(
        new RegExp(`^${worker.id} +client +connected +0/1 +modifiers/Relax in ${room} +root`, 'm'),
      )
      const shown = await scene.says(['workers', 'get', worker.id])
      expect(shown).toMatch(/^slots +0 of 1 busy, 0 running$/m)
      expect((await scene.millrace(['workers', 'get', 'nobody'])).code).toBe(1)
    },
  },
  {
    title: '[N100] a worker is drained, given jobs again and sent away, and what becomes of its jobs is told',
    run: async (scene) => {
      const { worker, room } = await scene.lab()
      const { id } = worker
      expect(await scene.says(['workers', 'drain', id])).toBe(`${id} gets nothing new; it runs nothing.\n`)
      expect(await scene.says(['workers', 'ls'])).toMatch(new RegExp(`^${id} +client +draining`, 'm'))
      const waiting = await scene.submit(room)
      expect(await scene.says(['workers', 'undrain', id])).toBe(`${id} gets jobs again.\n`)
      const job = await worker.assigned.next()
      expect(job.id).toBe(waiting)
      await worker.started(job)
      const drained = await scene.says(['workers', 'drain', id])
      expect(drained).toBe(`${id} gets nothing new; it finishes the job that it runs.\n`)
      expect(await scene.json<WorkerView>(['workers', 'undrain', id])).toMatchObject({ id, draining: false })
      expect(await scene.says(['workers', 'disconnect', id])).toContain(`${id} was sent away.`)
      expect((await scene.job(room, waiting)).status).toBe('pending')
      const nobody = await scene.millrace(['workers', 'drain', 'nobody'])
      expect(nobody).toMatchObject({ code: 1, out: '' })
    },
  },
  {
    title: '[N16] settings are stored at once, and nothing is there to follow',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, category: 'settings', name: 'Camera' }])
      const env = { MILLRACE_ROOM: room }
      const stored = await scene.millrace(['submit', 'Camera', '--set', 'zoom=2'], env)
      expect(stored).toMatchObject({ code: 0 })
      expect(JSON.parse(stored.out)).toEqual({ zoom: 2 })
      const followed = await scene.millrace(
        ['submit', 'Camera', '--set', 'zoom=3', '--follow', '--json'],
        env,
      )
      expect({ ...followed, out: JSON.parse(followed.out) as unknown }).toEqual({
        code: 0,
        out: { event: 'stored', values: { zoom: 3 } },
        err: '',
      })
    },
  },
]

describe('places, people and their credentials on the command line', () => {
  describeCases(cases)

  it('[N11] a link signs in once, with the code where it has it', async () => {
    const file = join(await makeTempDir('nouns-link'), 'store.sqlite')
    const store = await openSqliteStore({ file })
    const server = await startTestServer(store)
    const scene = await NounScene.open(server.url, '')
    const link = async (between: string): Promise<string> => {
      const made = await createLoginCode(server.running.parts, 'alice', 'user', 60)
      if ('refused' in made) throw new Error(made.message)
      return `${between}${made.code}`
    }
    const env = { MILLRACE_URL: '', MILLRACE_TOKEN: '' }
    const first = await link(`${server.url}/login?code=`)
    expect(await scene.says(['login', first], env)).toContain(`Signed in to ${server.url} as alice (user)`)
    expect((await scene.millrace(['login', first], env)).code).toBe(4)
    expect((await scene.millrace(['login', await link(`${server.url}/#/login?code=`)], env)).code).toBe(0)
    expect((await scene.millrace(['login', '--url', server.url, await link('')], env)).code).toBe(0)
    expect((await scene.millrace(['login', `${server.url}/login`], env)).code).toBe(2)
    await scene.close()
    await server.close()
    await store.close()
  })
})
