// The slots that a pool keeps for short extensions: two of ten, and what takes less than a second is short.

import { expect } from 'vitest'
import type { PoolCase } from './pool-scene.ts'
import type { RawWorker } from './worker/raw-worker.ts'

const long = { category: 'analysis', extension: 'Long' } as const
const short = { category: 'analysis', extension: 'Short' } as const
const offers = [{ name: 'Long' }, { name: 'Short', policy: { short: true } }]

export const shortCases: readonly PoolCase[] = [
  {
    title: '[M53] with the pool full of long jobs a short one starts at once, and the long ones are told why',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const pool = await scene.pool(offers, { slots: 10 })
      const jobs: string[] = []
      for (let n = 0; n < 12; n++) jobs.push(await flow.submit(room, { n }, long))
      const running = await pool.assigned.take(8)
      for (const job of running) await pool.started(job)
      const waits = jobs.at(-1) ?? ''
      expect(await flow.why(room, waits)).toMatchObject({ reason: 'kept_for_short', details: { slots: 2 } })

      const quick = [await flow.submit(room, {}, short), await flow.submit(room, {}, short)]
      const started = await pool.assigned.take(2)
      expect(started.map(({ id }) => id)).toEqual(quick)
      const third = await flow.submit(room, {}, short)
      expect(await flow.why(room, third)).toMatchObject({ reason: 'all_slots_busy' })
      expect(await flow.why(room, waits)).toMatchObject({ reason: 'all_slots_busy' })

      await pool.completed(started[0] as (typeof started)[number])
      expect((await pool.assigned.next()).id).toBe(third)
      await pool.completed(running[0] as (typeof running)[number])
      expect((await pool.assigned.next()).extension).toBe('Long')
    },
  },
  {
    title: '[M53] an extension whose runs were measured to be short is, and one that only promised it is not',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const pool = await scene.pool(offers, { slots: 10 })
      await finishOne(pool, await flow.submit(room, {}, long))
      const slow = await flow.submit(room, {}, short)
      const job = await pool.assigned.next()
      await pool.started(job)
      await scene.pass(2_000)
      await pool.completed(job)
      expect((await flow.job(room, slow)).runMs).toBe(2_000)

      const jobs: string[] = []
      for (let n = 0; n < 9; n++) jobs.push(await flow.submit(room, {}, short))
      for (const one of await pool.assigned.take(8)) await pool.started(one)
      expect(await flow.why(room, jobs[8] ?? '')).toMatchObject({ reason: 'kept_for_short' })
      const quick = await flow.submit(room, {}, long)
      expect((await pool.assigned.next()).id).toBe(quick)
    },
  },
  {
    title: '[M53] what a pool still runs when the server comes back counts as what it was',
    run: async (scene) => {
      const room = await scene.flow.newRoom()
      const pool = await scene.pool(offers, { slots: 10, id: 'pool-1' })
      for (let n = 0; n < 9; n++) await scene.flow.submit(room, {}, long)
      const running = await pool.assigned.take(8)
      for (const job of running) await pool.started(job)
      await scene.restart()

      const { flow } = scene
      const options = { kind: 'pool', id: 'pool-1', slots: 10, attempts: running } as const
      const asBuiltins = offers.map((one) => ({ scope: 'builtin', category: 'analysis', ...one }) as const)
      const back = await flow.worker(asBuiltins, options, await scene.poolClient())
      expect(back.view?.resumed).toHaveLength(8)
      const quick = await flow.submit(room, {}, short)
      expect((await back.assigned.next()).id).toBe(quick)
    },
  },
  {
    title: '[M53] a worker that is no pool keeps nothing',
    run: async ({ flow }) => {
      const room = await flow.newRoom()
      const worker = await flow.worker([{ room }], { slots: 10 })
      await flow.submitMany(room, 10)
      expect(await worker.assigned.take(10)).toHaveLength(10)
    },
  },
]

async function finishOne(pool: RawWorker, id: string): Promise<void> {
  const job = await pool.assigned.next()
  expect(job.id).toBe(id)
  await pool.completed(job)
}
