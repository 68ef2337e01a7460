// Submitting, finding and looking at jobs from the command line.

import type { JobSummary, JobView, WhyView } from '@millrace/protocol'
import { expect } from 'vitest'
import { type NounCase, relaxIn, relaxSchema } from './noun-scene.ts'

interface Page {
  readonly jobs: readonly JobSummary[]
  readonly cursor?: string
}

export const jobCases: readonly NounCase[] = [
  {
    title: '[N16] submit prints the id of the job and nothing else on stdout; the same key is the same job',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const args = [
        'submit',
        'modifiers/Relax',
        '--data',
        '-',
        '--set',
        'tags=a,b',
        '--priority',
        '7',
        '--key',
        'k-1',
      ]
      const first = await scene.millrace(args, env, '{"label":"007","steps":2}')
      const id = first.out.trim()
      expect(first).toMatchObject({ code: 0, out: `${id}\n` })
      expect(first.err).toContain(`millrace jobs follow ${id.slice(-8)}`)
      expect(await worker.assigned.next()).toMatchObject({
        id,
        data: { label: '007', steps: 2, tags: ['a', 'b'] },
      })
      expect(await scene.job(room, id)).toMatchObject({ priority: 7 })
      const again = await scene.millrace([...args, '--json'], env, '{"label":"007","steps":2}')
      expect(JSON.parse(again.out)).toEqual({ room, id, created: false })
    },
  },
  {
    title: '[N93] a job is shown in words, with the codes behind them, and JSON has the codes alone',
    run: async (scene) => {
      const { worker, env } = await scene.lab()
      const submit = (): Promise<{ id: string }> => scene.json(['submit', 'Relax'], env)
      const broken = await submit()
      const job = await worker.assigned.next()
      const next = await submit()
      expect(await scene.says(['jobs', 'get', next.id], env)).toMatch(/^why +\S.* \(all_slots_busy\)$/m)
      await worker.failed(job, 'no mass', false)
      expect(await scene.says(['jobs', 'get', broken.id], env)).toMatch(
        /^attempts +on .*: failed for good \(failed_fatal\)( after .*)?: no mass$/m,
      )
      expect(await scene.json(['jobs', 'get', broken.id], env)).toMatchObject({
        attempts: [{ outcome: 'failed_fatal' }],
      })
    },
  },
  {
    title: '[N16] a job can be told to wait for its time, and says so',
    run: async (scene) => {
      const { env } = await scene.lab()
      const { id } = await scene.json<{ id: string }>(['submit', 'Relax', '--at', '2h'], env)
      const why = await scene.json<WhyView>(['why', id], env)
      expect(why).toMatchObject({ status: 'pending', reason: 'not_before' })
      expect(why.estimateMs).toBeGreaterThan(7_000_000)
      expect(await scene.says(['why', id], env)).toMatch(/starts {2}in about (?:1 h 59 min|2 h)/)
    },
  },
  {
    title: '[N13] data that does not fit is refused by the names of its fields',
    run: async (scene) => {
      const { env } = await scene.lab()
      const args = ['submit', 'Relax', '--set', 'steps=0', '--set', 'cell.pbc=maybe', '--set', 'nope=1']
      const { code, out, err } = await scene.millrace(args, env)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(/^millrace: The data does not fit modifiers\/Relax:\n/)
      expect(err).toContain('  steps must be >= 1\n')
      expect(err).toContain('  cell.pbc must be boolean\n')
      expect(err).toContain('  nope is not a known property\n')
      expect(err).toContain('millrace extensions get modifiers/Relax')
      const asJson = await scene.millrace([...args, '--json'], env)
      expect(JSON.parse(asJson.err)).toMatchObject({
        error: { code: 'data_invalid', details: { errors: expect.arrayContaining([]) } },
      })
    },
  },
  {
    title:
      '[N14] an extension that is not there is refused with the nearest and the list, an unclear one with the choices',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const offers = [
        { room, category: 'analysis', name: 'Same' },
        { room, name: 'Same' },
      ]
      await scene.worker(offers)
      const [unknown, unclear, clear] = await Promise.all([
        scene.millrace(['submit', 'Relx'], env),
        scene.millrace(['submit', 'Same'], env),
        scene.millrace(['submit', 'room/analysis/Same'], env),
      ])
      expect(unknown).toMatchObject({ code: 1, out: '' })
      expect(unknown.err).toContain("no extension 'Relx'. Did you mean Relax?")
      expect(unknown.err).toContain('modifiers/Relax')
      expect(unclear).toMatchObject({ code: 2, out: '' })
      expect(unclear.err).toContain('analysis/Same, modifiers/Same')
      expect(clear.code).toBe(0)
    },
  },
  {
    title: '[N15] a job is found by its id, its end or its beginning, in the room that is meant or another',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const [first = '', second = ''] = await scene.submitMany(room, 2)
      const found = async (part: string, place: { MILLRACE_ROOM?: string } = env): Promise<string> =>
        (await scene.json<JobView>(['jobs', 'get', part], place)).id
      const elsewhere = { MILLRACE_ROOM: await scene.newRoom() }
      expect(
        await Promise.all([
          found(first),
          found(first.slice(-8)),
          found(second.slice(0, 20)),
          found(first, {}),
        ]),
      ).toEqual([first, first, second, first])
      expect(await Promise.all([found(second, elsewhere), found(second.slice(-12), elsewhere)])).toEqual([
        second,
        second,
      ])
    },
  },
  {
    title: '[N15] an unclear beginning is refused with the jobs it fits, and what is no id as such',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const ids = await scene.submitMany(room, 2)
      const [unclear, none, wrong] = await Promise.all([
        scene.millrace(['jobs', 'get', (ids[0] ?? '').slice(0, 8)], env),
        scene.millrace(['jobs', 'get', 'ffffffff'], env),
        scene.millrace(['jobs', 'get', 'it'], env),
      ])
      expect(unclear).toMatchObject({ code: 2, out: '' })
      for (const id of ids) expect(unclear.err).toContain(id)
      expect(none).toMatchObject({ code: 1, out: '' })
      expect(none.err).toContain("no job 'ffffffff'")
      expect(wrong).toMatchObject({ code: 2, out: '' })
    },
  },
  {
    title: '[N22] jobs are listed by what the server can filter, in one room or all',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const [first = '', second = '', third = ''] = await scene.submitMany(room, 3)
      await worker.failed(await worker.assigned.next(), 'broken\nbeyond repair', false)
      const idsOf = async (...args: readonly string[]): Promise<readonly string[]> =>
        (await scene.json<Page>(['jobs', 'ls', ...args], env)).jobs.map(({ id }) => id)
      const everything = await Promise.all([
        idsOf(),
        idsOf('--oldest', '--limit', '1'),
        idsOf('--status', 'failed,completed'),
        idsOf('--dead-letters', '--submitter', 'root', '--extension', 'modifiers/Relax', '--since', '1h'),
        idsOf('--until', '1h'),
        idsOf('--category', 'analysis'),
        idsOf('--search', '"n":2'),
      ])
      expect(everything).toEqual([[third, second, first], [first], [first], [first], [], [], [third]])
      const all = await scene.json<Page>(['jobs', 'ls', '--all', '--limit', '1000'], env)
      expect(all.jobs.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second, third]))
      const page = await scene.json<Page>(['jobs', 'ls', '-n', '2'], env)
      expect(await idsOf('--cursor', page.cursor ?? '')).toEqual([first])
    },
  },
  {
    title:
      '[N22] a list for the eye has states, times and the reason in one line each, and fits a narrow screen',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const [first = '', second = ''] = await scene.submitMany(room, 2)
      await worker.failed(await worker.assigned.next(), 'broken\nbeyond repair', false)
      await worker.assigned.next()
      const list = await scene.says(['jobs', 'ls'], env)
      const [head, ...rows] = list.trim().split('\n')
      expect(head).toMatch(/^JOB +EXTENSION +STATE +TOOK +SUBMITTED +BY +REMARK$/)
      expect(rows).toHaveLength(2)
      expect(rows[0]).toMatch(new RegExp(`^${second.slice(-8)} +modifiers/Relax +assigned`))
      expect(rows[1]).toMatch(
        new RegExp(`^${first.slice(-8)} +modifiers/Relax +failed .*broken beyond repair$`),
      )
      const narrow = await scene.says(['jobs', 'ls'], { ...env, COLUMNS: '40' })
      for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
      expect(narrow).toContain(first.slice(-8))
    },
  },
  {
    title: '[N3] a job that waits says why, and what to do about it',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      await scene.submit(room)
      await worker.assigned.next()
      const id = await scene.submit(room)
      expect(await scene.says(['why', id], env)).toMatch(/why +All workers for it are busy \(slots\)\.\n/)
      expect(await scene.says(['jobs', 'get', id], env)).toMatch(/state +pending\n/)
    },
  },
  {
    title: '[N3] a job that waits for a schema that nobody serves any more is to be submitted again',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      await scene.submit(room)
      await worker.assigned.next()
      const id = await scene.submit(room)
      await worker.socket.emitWithAck('extension:unregister', {})
      expect(await scene.says(['why', id], env)).toContain('start a worker for it')
      await scene.worker([{ ...relaxIn(room), schema: { ...relaxSchema, description: 'Anew.' } }])
      expect(await scene.says(['why', id], env)).toMatch(
        new RegExp(`next +the schema has changed since.* jobs cancel ${id.slice(-8)}\\n`),
      )
    },
  },
]
