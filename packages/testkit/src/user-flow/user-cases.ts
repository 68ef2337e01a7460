// Accounts, signing in and login codes through the server's use-cases.

import type { UserName } from '@millrace/domain'
import {
  changeUser,
  createLoginCode,
  createUser,
  ensureAdmin,
  listUsers,
  removeUser,
  signIn,
  useLoginCode,
} from '@millrace/server'
import { expect } from 'vitest'
import { answered, caller, password, refusedCodes, type UserCase } from './user-scene.ts'

const racers = Array.from({ length: 20 }, (_, at) => at)

const accounts: readonly UserCase[] = [
  {
    title: '[U3] [U5] a user who was made signs in, and the store holds no password',
    run: async (scene) => {
      const olga = await scene.peopled('maxi')
      expect(await signIn(scene, 'maxi', password)).toMatchObject({ name: 'maxi', role: 'user' })
      const [record] = await scene.store.read('system', ['user/maxi'])
      expect(record?.head).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
      expect(record?.head).not.toContain(password)
      const short = await createUser(scene, olga, { name: 'sam', password: 'short', role: 'user' })
      expect(short).toMatchObject({ refused: 'password_invalid' })
    },
  },
  {
    title: '[U3] of 20 who make an account of one name, one does',
    run: async (scene) => {
      const olga = await scene.peopled()
      const request = { name: 'maxi', password, role: 'user' } as const
      const answers = await Promise.all(racers.map(() => createUser(scene.replica(), olga, request)))
      expect(refusedCodes(answers)).toEqual(racers.slice(1).map(() => 'user_name_taken'))
    },
  },
  {
    title: '[U4] admins list all accounts by name, others none',
    run: async (scene) => {
      const olga = await scene.peopled('zoe', 'maxi')
      const listed = answered(await listUsers(scene.store, olga))
      expect(listed.map(({ name, role }) => [name, role])).toEqual([
        ['maxi', 'user'],
        ['olga', 'admin'],
        ['zoe', 'user'],
      ])
      const request = { name: 'sam', password, role: 'admin' } as const
      const maxi = caller('maxi')
      const refusals = [
        await listUsers(scene.store, maxi),
        await createUser(scene, maxi, request),
        await removeUser(scene, maxi, 'zoe'),
        await removeUser(scene, maxi, 'nobody-there'),
      ]
      expect(refusedCodes(refusals)).toEqual(refusals.map(() => 'user_forbidden'))
    },
  },
  {
    title: '[U6] a user changes the own password and an admin any, and the old one is wrong from then on',
    run: async (scene) => {
      const olga = await scene.peopled('maxi', 'sam')
      answered(await changeUser(scene, caller('maxi'), 'maxi', { password: 'of my own' }))
      expect(await signIn(scene, 'maxi', password)).toMatchObject({ refused: 'credentials_wrong' })
      expect(await signIn(scene, 'maxi', 'of my own')).toMatchObject({ name: 'maxi' })
      answered(await changeUser(scene, olga, 'sam', { password: 'by the admin' }))
      expect(await signIn(scene, 'sam', 'by the admin')).toMatchObject({ name: 'sam' })
      const refusals = [
        await changeUser(scene, caller('maxi'), 'sam', { password: 'taken over' }),
        await changeUser(scene, caller('maxi'), 'maxi', { role: 'admin' }),
      ]
      expect(refusedCodes(refusals)).toEqual(['user_forbidden', 'user_forbidden'])
      const missing = [
        await changeUser(scene, olga, 'nobody-there', { password }),
        await changeUser(scene, olga, 'Not A Name', { role: 'user' }),
        await removeUser(scene, olga, 'nobody-there'),
      ]
      expect(refusedCodes(missing)).toEqual(missing.map(() => 'user_not_found'))
    },
  },
  {
    title: '[U8] admins who demote and remove each other at once leave one of them',
    run: async (scene) => {
      const olga = await scene.peopled()
      const names = ['a', 'b', 'c', 'd', 'e'] as const
      for (const name of names) {
        answered(await createUser(scene, olga, { name, password, role: 'admin' }))
      }
      const all = ['olga', ...names]
      const answers = await Promise.all(
        all.map((name, at) =>
          at % 2 === 0
            ? removeUser(scene.replica(), olga, name)
            : changeUser(scene.replica(), olga, name, { role: 'user' }),
        ),
      )
      expect(refusedCodes(answers)).toEqual(['user_last_admin'])
      const left = answered(await listUsers(scene.store, olga)).filter(({ role }) => role === 'admin')
      expect(left).toHaveLength(1)
    },
  },
  {
    title: '[U14] a wrong password, no password and no account are refused alike',
    run: async (scene) => {
      await scene.peopled('maxi')
      const { code } = answered(await createLoginCode(scene, 'codeonly', 'user', 60))
      answered(await useLoginCode(scene, code))
      const answers = [
        await signIn(scene, 'maxi', 'wrong horse'),
        await signIn(scene, 'codeonly', ''),
        await signIn(scene, 'nobody-there', password),
        await signIn(scene, 'Not A Name', password),
        await signIn(scene, 'guest-abcd2345', password),
      ]
      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
        new Set([JSON.stringify(answers[0])]),
      )
      expect(answers[0]).toMatchObject({ refused: 'credentials_wrong' })
    },
  },
  {
    title: '[U15] 20 replicas that start at once make one admin, and later starts change nothing',
    run: async (scene) => {
      const made = await Promise.all(
        racers.map((at) => ensureAdmin(scene.replica(), { name: `root${at % 3}`, password })),
      )
      expect(made.filter((answer) => answer === 'created')).toHaveLength(1)
      expect(made.filter((answer) => answer === 'kept')).toHaveLength(19)
      const [admin] = answered(await listUsers(scene.store, caller('x', 'admin')))
      expect(await ensureAdmin(scene, { name: 'another', password })).toBe('kept')
      expect(await ensureAdmin(scene, { name: admin?.name ?? '', password: 'changed later' })).toBe('kept')
      expect(await signIn(scene, admin?.name ?? '', password)).toMatchObject({ role: 'admin' })
    },
  },
  {
    title: '[U20] a change of an account is announced under its key',
    run: async (scene) => {
      const olga = await scene.peopled()
      const feed = scene.store.feed('now')
      await feed.ready
      answered(await createUser(scene, olga, { name: 'maxi', password, role: 'user' }))
      answered(await changeUser(scene, olga, 'maxi', { role: 'admin' }))
      await removeUser(scene, olga, 'maxi')
      const seen: [string, string, string][] = []
      for await (const item of feed) {
        if (item.kind !== 'events') continue
        seen.push(
          ...item.events
            .filter(({ subject }) => !subject.startsWith('audit/'))
            .map(({ subject, event }) => [item.partition, subject, event] as [string, string, string]),
        )
        if (seen.length === 3) break
      }
      await feed.close()
      expect(seen).toEqual(seen.map(() => ['system', 'user/maxi', '{"type":"user:changed"}']))
    },
  },
]

const loginCodes: readonly UserCase[] = [
  {
    title: '[U16] of 20 who use one login code at once, one gets in',
    run: async (scene) => {
      const { code } = answered(await createLoginCode(scene, 'maxi', 'user', 60))
      const answers = await Promise.all(racers.map(() => useLoginCode(scene.replica(), code)))
      expect(refusedCodes(answers)).toEqual(racers.slice(1).map(() => 'credentials_wrong'))
      expect(await useLoginCode(scene, code)).toMatchObject({ refused: 'credentials_wrong' })
    },
  },
  {
    title: '[U16] one login code for an account that exists works once as well',
    run: async (scene) => {
      await scene.peopled('maxi')
      const { code } = answered(await createLoginCode(scene, 'maxi', 'user', 60))
      const answers = await Promise.all(racers.map(() => useLoginCode(scene.replica(), code)))
      expect(refusedCodes(answers)).toHaveLength(19)
    },
  },
  {
    title: '[U16] a login code is void at its expiry, and the store does not hold it',
    run: async (scene) => {
      const { code, expiresAt } = answered(await createLoginCode(scene, 'maxi', 'user', 60))
      expect(expiresAt).toBe(scene.clock.now() + 60_000)
      const [record] = await scene.store.read('system', [`login-code/${scene.codes.digest(code)}`])
      expect(JSON.stringify(record)).not.toContain(code)
      scene.clock.pass(60_000)
      expect(await useLoginCode(scene, code)).toMatchObject({ refused: 'credentials_wrong' })
      expect(await useLoginCode(scene, 'an invention')).toMatchObject({ refused: 'credentials_wrong' })
    },
  },
  {
    title: '[U17] a login code makes the account it names, whose tokens then count',
    run: async (scene) => {
      const { code } = answered(await createLoginCode(scene, 'dev', 'admin', 60))
      const dev = answered(await useLoginCode(scene, code))
      expect(dev).toMatchObject({ name: 'dev', role: 'admin', passwordHash: null })
      const { token } = await scene.credentials.issueSession(dev)
      expect(await scene.credentials.verify(token)).toMatchObject({ user: 'dev', role: 'admin' })
      expect(await removeUser(scene, caller('dev', 'admin'), 'dev')).toMatchObject({
        refused: 'user_last_admin',
      })
    },
  },
  {
    title: '[U17] a login code gives no role to an account that exists',
    run: async (scene) => {
      await scene.peopled('maxi')
      const { code } = answered(await createLoginCode(scene, 'maxi', 'admin', 60))
      expect(answered(await useLoginCode(scene, code)).role).toBe('user')
      const guest = await createLoginCode(scene, 'guest-abcd2345' as UserName, 'user', 60)
      expect(guest).toMatchObject({ refused: 'user_name_reserved' })
    },
  },
]

export const userCases: readonly UserCase[] = [...accounts, ...loginCodes]
