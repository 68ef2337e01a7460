// Many jobs with one command, dead letters, and what people did.

import type { AuditPage, JobsPage } from '@millrace/protocol'
import { expect } from 'vitest'
import type { NounCase, NounScene } from './noun-scene.ts'

interface Outcome {
  readonly matched: number
  readonly done: number
  readonly refused: readonly { readonly id: string; readonly code: string }[]
}

export const manyJobsCases: readonly NounCase[] = [
  {
    title:
      '[N70] several jobs are cancelled by their ids, those refused are told, and the command ends with 1',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const done = await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      await pause(scene, room)
      const [first = '', second = '', third = ''] = await scene.submitMany(room, 3)
      const two = await scene.millrace(['jobs', 'cancel', first, second.slice(-12)], env)
      expect(two).toMatchObject({ code: 0, out: '2 jobs are cancelled.\n' })
      const mixed = await scene.millrace(['jobs', 'cancel', third, done], env)
      expect(mixed.code).toBe(1)
      expect(mixed.out).toBe(`1 of 2 jobs is cancelled.\n  refused as job_ended: ${done.slice(-8)}\n`)
      expect(await statuses(scene, room)).toEqual(['cancelled', 'cancelled', 'cancelled', 'completed'])
    },
  },
  {
    title: '[N70] those that a filter names are cancelled and tried again, and nothing else',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      await scene.worker([{ room, name: 'Other' }])
      const kept = await scene.submit(room, {}, { extension: 'Other', notBefore: Date.now() + 3_600_000 })
      await pause(scene, room)
      const ids = await scene.submitMany(room, 3)
      const cancel = [
        'jobs',
        'cancel',
        '--status',
        'pending',
        '--extension',
        'modifiers/Relax',
        '--since',
        '1h',
      ]
      expect(await scene.json<Outcome>([...cancel, '--user', 'nobody-here'], env)).toMatchObject({
        matched: 0,
      })
      expect(await scene.json<Outcome>(cancel, env)).toEqual({ matched: 3, done: 3, refused: [] })
      expect((await scene.job(room, kept)).status).toBe('pending')
      await resume(scene, room)
      expect(await scene.says(['jobs', 'retry', '--status', 'cancelled'], env)).toBe('3 jobs are retried.\n')
      const job = await worker.assigned.next()
      expect(ids).toContain((await scene.job(room, job.id)).redriveOf)
      const again = await scene.millrace(['jobs', 'retry', '--status', 'cancelled', '--json'], env)
      expect(again.code).toBe(1)
      const { refused } = JSON.parse(again.out) as Outcome
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['job_redriven']))
    },
  },
  {
    title: '[N106] a filter whose extension nobody knows is warned of with the one that was meant',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const slip = await scene.millrace(['jobs', 'cancel', '--extension', 'Relx'], env)
      expect(slip).toEqual({
        code: 0,
        out: 'No such jobs.\n',
        err: 'millrace: no extension called Relx; did you mean Relax?\n',
      })
      const dry = ['jobs', 'retry', '--extension', 'modifier/Relax', '--dry-run']
      expect(await scene.millrace(dry, env)).toMatchObject({
        code: 0,
        err: 'millrace: no extension called modifier/Relax; did you mean modifiers/Relax?\n',
      })
      await scene.submit(room)
      const right = ['jobs', 'retry', '--extension', 'Relax', '--status', 'failed']
      expect(await scene.millrace(right, env)).toEqual({ code: 0, out: 'No such jobs.\n', err: '' })
    },
  },
  {
    title: '[N71] more than 100 take --yes where nobody can be asked, and a dry run only counts',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      await pause(scene, room)
      await scene.submitMany(room, 101)
      const cancel = ['jobs', 'cancel', '--extension', 'Relax']
      const dry = await scene.millrace([...cancel, '--dry-run'], env)
      expect(dry).toMatchObject({ code: 0, out: '101 jobs would be cancelled.\n' })
      const asked = await scene.millrace(cancel, env)
      expect(asked).toMatchObject({ code: 2, out: '' })
      expect(asked.err).toContain('101 jobs are meant, which takes --yes')
      expect(new Set(await statuses(scene, room))).toEqual(new Set(['pending']))
      expect(await scene.says([...cancel, '--yes'], env)).toBe('101 jobs are cancelled.\n')
    },
  },
  {
    title: '[N71] neither jobs nor a filter, both of them, and several to follow are refused as wrong words',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const [first = '', second = ''] = await scene.submitMany(room, 2)
      const ended = await Promise.all([
        scene.millrace(['jobs', 'cancel'], env),
        scene.millrace(['jobs', 'retry'], env),
        scene.millrace(['jobs', 'cancel', first, '--status', 'pending'], env),
        scene.millrace(['jobs', 'retry', first, second, '--follow'], env),
      ])
      expect(ended.map(({ code, out }) => [code, out])).toEqual(ended.map(() => [2, '']))
      expect(ended[0]?.err).toContain('Which jobs are to be cancelled?')
    },
  },
  {
    title: '[N72] dead letters are listed with their errors, and how to try them again works as it is said',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      expect(await scene.says(['jobs', 'dead'], env)).toBe('No dead letters.\n')
      const id = await scene.submit(room)
      await worker.failed(await worker.assigned.next(), 'broken beyond repair', false)
      const listed = await scene.millrace(['jobs', 'dead', '--extension', 'Relax', '--since', '1h'], env)
      expect(listed.out).toMatch(new RegExp(`^${id.slice(-8)} .*broken beyond repair$`, 'm'))
      expect(listed.err).toContain('jobs retry <job>…, or all with --dead-letters')
      expect((await scene.json<JobsPage>(['jobs', 'dead', '--search', 'nowhere'], env)).jobs).toEqual([])
      expect(await scene.says(['jobs', 'retry', '--dead-letters'], env)).toBe('1 job is retried.\n')
      expect((await scene.job(room, (await worker.assigned.next()).id)).redriveOf).toBe(id)
      expect(await scene.says(['jobs', 'dead'], env)).toBe('No dead letters.\n')
    },
  },
  {
    title: '[N73] what people did is told of a room to its owner and of everything to an admin',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const user = await scene.user()
      const theirs = { ...env, MILLRACE_TOKEN: user.token ?? '' }
      await scene.says(['rooms', 'members', 'add', room, user.user, '--role', 'viewer'], env)
      const told = await scene.says(['audit', 'ls'], env)
      const [head, newest] = told.split('\n')
      expect(head).toMatch(/^WHEN +WHO +DID +TO +DETAILS$/)
      expect(newest).toMatch(new RegExp(` root +member.set +${user.user} +role=viewer$`))
      const all = ['audit', 'ls', '--all', '--actor', user.user, '--action', 'sign_in', '--since', '1h']
      const { entries } = await scene.json<AuditPage>(all, env)
      expect(entries).toMatchObject([{ actor: user.user, action: 'sign_in', outcome: 'done', room: null }])
      const forbidden = await Promise.all([
        scene.millrace(['audit', 'ls'], theirs),
        scene.millrace(all, theirs),
      ])
      for (const one of forbidden) expect(one).toMatchObject({ code: 4, out: '' })
    },
  },
]

const relax = (room: string): string => `/api/rooms/${room}/extensions/room/modifiers/Relax`

async function pause(scene: NounScene, room: string): Promise<void> {
  await scene.admin.expect(200, 'POST', `${relax(room)}/pause`)
}

async function resume(scene: NounScene, room: string): Promise<void> {
  await scene.admin.expect(200, 'POST', `${relax(room)}/resume`)
}

async function statuses(scene: NounScene, room: string): Promise<readonly string[]> {
  const { jobs } = await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs?limit=500`)
  return jobs.map(({ status }) => status)
}
