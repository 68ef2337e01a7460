// A job's way through the use-cases: from submit to its end, and what is refused on the way.

import type { AttemptToken, Job, JobId, UserName } from '@millrace/domain'
import { isRefusal } from '@millrace/domain'
import { ActiveJobs, claimJobs, readJob, submitJobs } from '@millrace/server'
import { expect } from 'vitest'
import { completion, failure, idOf, type JobCase, JobScene, tokenOf, worker } from './job-scene.ts'

export const lifecycleCases: readonly JobCase[] = [
  {
    title: '[J54] [S24] a job goes from submit to completed, and its room hears of every step in order',
    run: async (scene) => {
      const room = scene.newRoom()
      const feed = scene.store.feed('now')
      await feed.ready
      await scene.submitted(room, scene.submission(room))
      const [job] = await scene.claimed(room, 1)
      expect(job).toMatchObject({ status: 'assigned', attempt: { worker } })
      await scene.finished(room, [job as Job])

      const heard: string[] = []
      for await (const item of feed) {
        if (item.kind !== 'events' || item.partition !== room) continue
        for (const { event } of item.events) heard.push((JSON.parse(event) as { status: string }).status)
        if (heard.length === 3) break
      }
      await feed.close()
      expect(heard).toEqual(['pending', 'assigned', 'completed'])
      expect(await scene.onlyJob(room)).toMatchObject({
        status: 'completed',
        attempt: null,
        deadLetter: false,
      })
      expect(await scene.store.counters(room)).toEqual({ 'completed:room/modifiers/Relax': 1 })
      expect(await scene.store.queues(room)).toEqual([])
    },
  },
  {
    title: '[J8] a report with the token of an attempt that was superseded is refused and changes nothing',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room))
      const [first] = await scene.claimed(room, 1)
      await scene.report(room, [
        { job: idOf(first), events: [{ type: 'worker_lost', token: tokenOf(first) }] },
      ])
      const [second] = await scene.claimed(room, 1)
      const before = await scene.store.read(room, [`job/${idOf(first)}`])

      const [late] = await scene.report(room, [completion(first as Job)])
      expect(late).toMatchObject({ refused: 'attempt_superseded' })
      expect(await scene.store.read(room, [`job/${idOf(first)}`])).toEqual(before)

      const [other] = await scene.report(room, [completion(second as Job)])
      expect(other).toMatchObject({ job: { status: 'completed' } })
    },
  },
  {
    title:
      '[J8] a completion sent twice is acknowledged twice and applied once, also by a replica that knows nothing',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room))
      const [job] = await scene.claimed(room, 1)
      await scene.finished(room, [job as Job])
      const before = await scene.store.read(room, [`job/${idOf(job)}`])
      const again = [{ job: idOf(job), events: [{ type: 'complete' as const, token: tokenOf(job) }] }]
      expect(await scene.report(room, again, new ActiveJobs())).toMatchObject([
        { job: { status: 'completed' } },
      ])
      expect(await scene.store.read(room, [`job/${idOf(job)}`])).toEqual(before)
    },
  },
  {
    title:
      '[J54] the reports of a batch are answered each for itself, and two about one job build on each other',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room), scene.submission(room))
      const [a, b] = await scene.claimed(room, 2)
      const answers = await scene.report(room, [
        { job: idOf(a), events: [{ type: 'start', token: tokenOf(a) }] },
        { job: idOf(b), events: [{ type: 'start', token: 'wrong' as AttemptToken }] },
        { job: idOf(a), events: [{ type: 'complete', token: tokenOf(a), result: '{"energy":1}' }] },
        { job: 'no-such-job' as JobId, events: [{ type: 'start', token: tokenOf(a) }] },
      ])
      expect(answers).toMatchObject([
        { job: { status: 'running' } },
        { refused: 'attempt_superseded' },
        { job: { status: 'completed' } },
        { refused: 'job_not_found' },
      ])
      expect(await readJob(scene.store, room, idOf(a))).toMatchObject({ result: '{"energy":1}' })
    },
  },
  {
    title: '[J71] a short result stands with its job, a long one beside it, and both are told alike',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room), scene.submission(room), scene.submission(room))
      const [short, long, none] = await scene.claimed(room, 3)
      const texts = [JSON.stringify('s'.repeat(254)), JSON.stringify('l'.repeat(255))]
      const ends = [short, long].map((job, at) => ({
        job: idOf(job),
        events: [
          { type: 'start' as const, token: tokenOf(job) },
          { type: 'complete' as const, token: tokenOf(job), result: texts[at] as string },
        ],
      }))
      const plain = { type: 'complete' as const, token: tokenOf(none) }
      const start = { type: 'start' as const, token: tokenOf(none) }
      await scene.report(room, [...ends, { job: idOf(none), events: [start, plain] }])
      const told = await Promise.all([short, long, none].map((job) => readJob(scene.store, room, idOf(job))))
      expect(told.map((job) => 'result' in job && job.result)).toEqual([...texts, false])
      const beside = await scene.store.read(
        room,
        [short, long, none].map((job) => `result/${idOf(job)}`),
      )
      expect(beside.map((record) => record?.body)).toEqual([undefined, texts[1], undefined])
    },
  },
  {
    title: '[J47] a key with the same body is the same job; with another body the whole bulk is refused',
    run: async (scene) => {
      const room = scene.newRoom()
      const keyed = (key: string, bodyHash: string) =>
        scene.submission(room, { idempotency: { key, bodyHash } })
      const first = keyed('k', 'x')
      await scene.submitted(room, first)
      expect(await submitJobs(scene.store, room, [keyed('k', 'x'), scene.submission(room)])).toMatchObject([
        { id: first.id, created: false },
        { created: true },
      ])
      expect(await submitJobs(scene.store, room, [scene.submission(room), keyed('k', 'y')])).toMatchObject({
        refused: 'idempotency_mismatch',
      })
      expect((await scene.page(room)).jobs).toHaveLength(2)
    },
  },
  {
    title: '[J47] of twenty concurrent submits with one key exactly one makes a job',
    run: async (scene) => {
      const room = scene.newRoom()
      const submits = Array.from({ length: 20 }, () =>
        submitJobs(scene.store, room, [
          scene.submission(room, { idempotency: { key: 'once', bodyHash: 'x' } }),
        ]),
      )
      const ids = (await Promise.all(submits)).map((answer) =>
        isRefusal(answer) ? answer.refused : answer[0]?.id,
      )
      expect(new Set(ids).size).toBe(1)
      expect((await scene.page(room)).jobs).toHaveLength(1)
    },
  },
  {
    title: '[S17] the room limit holds at the claim, and a finished job makes room again',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, ...Array.from({ length: 5 }, () => scene.submission(room)))
      const first = await scene.claimed(room, 5, 2)
      expect(first).toHaveLength(2)
      expect(await scene.claimed(room, 5, 2)).toHaveLength(0)
      await scene.finished(room, first.slice(0, 1))
      expect(await scene.claimed(room, 5, 2)).toHaveLength(1)
    },
  },
  {
    title:
      '[J16] a failed job that may be retried waits outside its queue, and is due when its backoff is over',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room))
      const [job] = await scene.claimed(room, 1)
      const error = { message: 'no licence' }
      await scene.report(room, [
        { job: idOf(job), events: [{ type: 'start', token: tokenOf(job) }, failure(job, true, error)] },
      ])
      const waiting = await scene.onlyJob(room)
      expect(waiting).toMatchObject({ status: 'pending', charged: 1, queued: false })
      expect(await scene.store.queues(room)).toEqual([])
      const due = await scene.store.due(waiting.retryAt ?? 0, 10_000)
      expect(due.filter(({ partition }) => partition === room)).toEqual([
        { partition: room, key: `job/${idOf(job)}`, dueAt: waiting.retryAt },
      ])
    },
  },
  {
    title: '[J18] a fatal failure is a dead letter, in its room and across rooms',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room), scene.submission(room))
      const [job] = await scene.claimed(room, 1)
      const events = [
        { type: 'start' as const, token: tokenOf(job) },
        failure(job, false, { message: 'bad cell' }),
      ]
      await scene.report(room, [{ job: idOf(job), events }])
      const ids = (await scene.page(room, { filter: { deadLetters: true } })).jobs.map(idOf)
      expect(ids).toEqual([idOf(job)])
      const everywhere = await scene.page(null, { filter: { deadLetters: true } })
      expect(everywhere.jobs.map(idOf)).toContain(idOf(job))
    },
  },
  {
    title: '[J59] a submission sent again is the job it made, and one that changed is refused',
    run: async (scene) => {
      const room = scene.newRoom()
      const first = scene.submission(room)
      await scene.submitted(room, first)
      const before = await scene.store.read(room, [`job/${first.id}`])
      expect(await submitJobs(scene.store, room, [first, scene.submission(room)])).toMatchObject([
        { id: first.id, created: false },
        { created: true },
      ])
      const changed = { ...first, data: { steps: 2 } }
      expect(await submitJobs(scene.store, room, [scene.submission(room), changed])).toMatchObject({
        refused: 'job_exists',
      })
      expect((await scene.page(room)).jobs).toHaveLength(2)
      expect(await scene.store.read(room, [`job/${first.id}`])).toEqual(before)
    },
  },
  {
    title: '[J47] a key belongs to its submitter, whatever slashes their names hold',
    run: async (scene) => {
      const room = scene.newRoom()
      const keyed = (submitter: string, key: string) =>
        scene.submission(room, { submitter: submitter as UserName, idempotency: { key, bodyHash: 'x' } })
      await scene.submitted(room, keyed('a/b', 'c'))
      expect(await submitJobs(scene.store, room, [keyed('a', 'b/c')])).toMatchObject([{ created: true }])
    },
  },
  {
    title: '[J60] a replica that remembers an earlier attempt takes the report of the current one',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room))
      const [first] = await scene.claimed(room, 1)
      const elsewhere = new JobScene(scene.store)
      await elsewhere.report(room, [
        { job: idOf(first), events: [{ type: 'worker_lost', token: tokenOf(first) }] },
      ])
      const [second] = await elsewhere.claimed(room, 1)
      expect(await scene.report(room, [completion(second as Job)])).toMatchObject([
        { job: { status: 'completed' } },
      ])
      expect(await scene.report(room, [completion(first as Job)])).toMatchObject([
        { refused: 'attempt_superseded' },
      ])
    },
  },
  {
    title: '[J60] a replica forgets a job that ended elsewhere, and knows none of another room',
    run: async (scene) => {
      const [room, other] = [scene.newRoom(), scene.newRoom()]
      await scene.submitted(room, scene.submission(room))
      const active = new ActiveJobs()
      const order = { room, workers: [worker], acceptMs: 10_000, roomLimit: null, queueLimit: null }
      const [job] = await claimJobs(scene.store, active, { ...order, queue: scene.queue })
      expect(await scene.report(other, [completion(job as Job)], active)).toMatchObject([
        { refused: 'job_not_found' },
      ])
      await scene.finished(room, [job as Job])
      expect(active.size).toBe(1)
      expect(await scene.report(room, [completion(job as Job)], active)).toMatchObject([
        { job: { status: 'completed' } },
      ])
      expect(active.size).toBe(0)
    },
  },
  {
    title: '[J7] [J9] a report sent again as it was is acknowledged and changes nothing',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(room, scene.submission(room), scene.submission(room))
      const [done, failed] = await scene.claimed(room, 2)
      const error = { message: 'no licence' }
      const start = { type: 'start' as const, token: tokenOf(failed) }
      const reports = [
        completion(done as Job),
        { job: idOf(failed), events: [start, failure(failed, true, error)] },
      ]
      await scene.report(room, reports)
      const keys = [done, failed].map((job) => `job/${idOf(job)}`)
      const before = await scene.store.read(room, keys)
      expect(await scene.report(room, reports)).toMatchObject([
        { job: { status: 'completed' } },
        { job: { status: 'pending' } },
      ])
      expect(await scene.store.read(room, keys)).toEqual(before)
    },
  },
]
