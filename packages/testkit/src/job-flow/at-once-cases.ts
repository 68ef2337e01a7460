// Jobs that are submitted with slots reserved for them: what is committed, and what becomes of the slots.

import type { Job, Submission, WorkerId } from '@millrace/domain'
import { isRefusal } from '@millrace/domain'
import { type ReservedSlots, type SubmitOptions, submitJobs } from '@millrace/server'
import { expect } from 'vitest'
import { idOf, type JobCase, type JobScene, worker } from './job-scene.ts'

const acceptMs = 10_000

/** Slots as placement would reserve them, and what was asked for and done with them. */
class Slots {
  readonly filled: (readonly Job[])[] = []
  asked = 0
  readonly options: SubmitOptions

  constructor(...workers: readonly WorkerId[]) {
    const fill: ReservedSlots['fill'] = (jobs) => this.filled.push(jobs.map(({ job }) => job))
    const reserve = async (): Promise<ReservedSlots> => {
      this.asked += 1
      return { workers, acceptMs, fill }
    }
    this.options = { reserve }
  }
}

export const atOnceCases: readonly JobCase[] = [
  {
    title: '[J61] a job that has a slot is assigned by its submit, and is what a claim would have made of it',
    run: async (scene) => {
      const [atOnce, claimed] = [scene.newRoom(), scene.newRoom()]
      const feed = scene.store.feed('now')
      await feed.ready
      const slots = new Slots(worker)
      const submission = scene.submission(atOnce)
      await submitted(scene, [submission], slots.options)
      const heard: string[] = []
      for await (const item of feed) {
        if (item.kind !== 'events' || item.partition !== atOnce) continue
        for (const { event } of item.events) heard.push((JSON.parse(event) as { status: string }).status)
        break
      }
      await feed.close()
      expect(heard).toEqual(['pending', 'assigned'])

      const parts = { createdAt: submission.createdAt }
      await scene.submitted(claimed, scene.submission(claimed, parts))
      const [byClaim] = await scene.claimed(claimed, 1)
      const job = await scene.onlyJob(atOnce)
      expect(slots.filled).toEqual([[job]])
      expect(blurred(job)).toEqual(blurred(byClaim as Job))
      expect(await scene.store.counters(atOnce)).toEqual(await scene.store.counters(claimed))
      expect(await scene.store.queues(atOnce)).toEqual([])
      for (const list of ['pending', 'active', 'user:alice', 'extension:modifiers/Relax']) {
        const query = { lists: [list], order: 'oldest', limit: 10 } as const
        const [here, there] = await Promise.all(
          [atOnce, claimed].map((partition) => scene.store.list({ ...query, partition })),
        )
        expect(here?.length, list).toBe(there?.length)
      }
      await scene.finished(atOnce, [job])
      expect(await scene.store.counters(atOnce)).toEqual({ 'completed:room/modifiers/Relax': 1 })
    },
  },
  {
    title: '[J61] of many the first in the order of their queue have the slots, and the others wait',
    run: async (scene) => {
      const room = scene.newRoom()
      const createdAt = scene.store.now()
      const all = [3, 5, 7, 5, 3].map((priority) => scene.submission(room, { priority, createdAt }))
      const later = scene.submission(room, { priority: 10, createdAt, notBefore: createdAt + 60_000 })
      const slots = new Slots(worker, 'worker-2' as WorkerId)
      await submitted(scene, [later, ...all], slots.options)
      const [filled = []] = slots.filled
      expect(filled.map(idOf).toSorted()).toEqual([all[2]?.id, all[1]?.id].toSorted())
      expect(new Set(filled.map(({ attempt }) => attempt?.worker)).size).toBe(2)
      const left = await scene.claimed(room, 10)
      expect(left.map(idOf)).toEqual([all[3]?.id, all[0]?.id, all[4]?.id])
    },
  },
  {
    title: '[J62] a submit that makes no job asks for no slot, and one that is overtaken gives it back',
    run: async (scene) => {
      const room = scene.newRoom()
      const keyed = (bodyHash: string): Submission =>
        scene.submission(room, { idempotency: { key: 'k', bodyHash } })
      const first = new Slots(worker)
      await submitted(scene, [keyed('x')], first.options)
      expect(first.filled.flat()).toHaveLength(1)

      const again = new Slots(worker)
      await submitted(scene, [keyed('x')], again.options)
      expect(isRefusal(await submitJobs(scene.store, room, [keyed('y')], again.options))).toBe(true)
      expect(again).toMatchObject({ asked: 0, filled: [] })

      const overtaken = new Slots(worker)
      const resting = { 'extension/room/modifiers/Relax': 7 }
      const answer = await submitJobs(scene.store, room, [scene.submission(room)], {
        ...overtaken.options,
        resting,
      })
      expect(answer).toMatchObject({ refused: 'submission_overtaken' })
      expect(overtaken.filled).toEqual([[]])
    },
  },
  {
    title: '[J62] of twenty submits with one key one has its slot filled, and the others give theirs back',
    run: async (scene) => {
      const room = scene.newRoom()
      const slots = new Slots(worker)
      const idempotency = { key: 'once', bodyHash: 'x' }
      const submits = Array.from({ length: 20 }, () =>
        submitted(scene, [scene.submission(room, { idempotency })], slots.options),
      )
      await Promise.all(submits)
      expect(slots.filled).toHaveLength(slots.asked)
      expect(slots.filled.flat()).toHaveLength(1)
      expect((await scene.onlyJob(room)).status).toBe('assigned')
    },
  },
]

async function submitted(
  { store }: JobScene,
  all: readonly Submission[],
  options: SubmitOptions,
): Promise<void> {
  expect(isRefusal(await submitJobs(store, all[0]?.room ?? '', all, options))).toBe(false)
}

/** Without what no two jobs have in common. */
function blurred({ submission, attempt, ...head }: Job): unknown {
  const { id: _id, room: _room, ...common } = submission
  return { ...head, submission: common, attempt: { worker: attempt?.worker, accepts: attempt !== null } }
}
