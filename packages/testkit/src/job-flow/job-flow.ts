// Jobs through the server's use-cases on a real store: submitted, claimed, reported, listed. Run on each store by the
// test files beside it; every case has rooms of its own.

import { randomUUID } from 'node:crypto'
import {
  type AttemptToken,
  defaultPolicy,
  isRefusal,
  type Job,
  type JobId,
  queueOf,
  type RoomName,
  type SchemaHash,
  type Submission,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import {
  ActiveJobs,
  claimJobs,
  type JobReport,
  type JobsPage,
  type JobsQuery,
  listJobs,
  lookAtMost,
  newId,
  type Reported,
  reportJobs,
  type Store,
  submitJobs,
} from '@millrace/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'

const worker = 'worker-1' as WorkerId
const relax = {
  scope: 'room',
  category: 'modifiers',
  extension: 'Relax',
  schemaHash: 'h1' as SchemaHash,
} as const
const dice = () => 0.5

export function describeJobFlow(name: string, open: OpenStore): void {
  describe(`jobs on ${name}`, () => {
    let opened: OpenedStore
    let store: Store
    let active: ActiveJobs
    beforeAll(async () => {
      opened = await open({})
      store = opened.store
      active = new ActiveJobs()
    })
    afterAll(() => opened.close())

    const newRoom = () => `room-${randomUUID().slice(0, 12)}`

    function submission(room: string, parts: Partial<Submission> = {}): Submission {
      const createdAt = parts.createdAt ?? store.now()
      return {
        ...relax,
        id: newId(createdAt) as JobId,
        room: room as RoomName,
        data: { steps: 1 },
        submitter: 'alice' as UserName,
        priority: 5,
        createdAt,
        policy: defaultPolicy,
        ...parts,
      }
    }

    async function submitted(room: string, ...all: Submission[]): Promise<void> {
      expect(isRefusal(await submitJobs(store, room, all))).toBe(false)
    }

    function claimed(room: string, count: number, limit: number | null = null): Promise<readonly Job[]> {
      const workers = Array.from({ length: count }, () => worker)
      const order = {
        room,
        queue: queueOf(relax),
        workers,
        acceptMs: 10_000,
        roomLimit: limit,
        queueLimit: null,
      }
      return claimJobs(store, active, order)
    }

    function report(
      room: string,
      reports: readonly JobReport[],
      known = active,
    ): Promise<readonly Reported[]> {
      return reportJobs(store, known, room, reports, dice)
    }

    async function finished(room: string, jobs: readonly Job[]): Promise<void> {
      await report(room, jobs.map(completion))
    }

    function page(room: string | null, parts: Partial<JobsQuery> = {}): Promise<JobsPage> {
      return listJobs(store, { room, filter: {}, order: 'newest', limit: 100, ...parts })
    }

    async function onlyJob(room: string): Promise<Job> {
      const { jobs } = await page(room)
      expect(jobs).toHaveLength(1)
      return jobs[0] as Job
    }

    it('[J5] [S24] a job goes from submit to completed, and its room hears of every step in order', async () => {
      const room = newRoom()
      const feed = store.feed('now')
      await feed.ready
      await submitted(room, submission(room))
      const [job] = await claimed(room, 1)
      expect(job).toMatchObject({ status: 'assigned', attempt: { worker } })
      await finished(room, [job as Job])

      const heard: string[] = []
      for await (const item of feed) {
        if (item.kind !== 'events' || item.partition !== room) continue
        for (const { event } of item.events) heard.push((JSON.parse(event) as { status: string }).status)
        if (heard.length === 3) break
      }
      await feed.close()
      expect(heard).toEqual(['pending', 'assigned', 'completed'])
      expect(await onlyJob(room)).toMatchObject({ status: 'completed', attempt: null, deadLetter: false })
      expect(await store.counters(room)).toEqual({})
      expect(await store.queues(room)).toEqual([])
    })

    it('[J8] a report with the token of an attempt that was superseded is refused and changes nothing', async () => {
      const room = newRoom()
      await submitted(room, submission(room))
      const [first] = await claimed(room, 1)
      await report(room, [{ job: idOf(first), events: [{ type: 'worker_lost', token: tokenOf(first) }] }])
      const [second] = await claimed(room, 1)
      const before = await store.read(room, [`job/${idOf(first)}`])

      const [late] = await report(room, [completion(first as Job)])
      expect(late).toMatchObject({ refused: 'attempt_superseded' })
      expect(await store.read(room, [`job/${idOf(first)}`])).toEqual(before)

      const [other] = await report(room, [completion(second as Job)])
      expect(other).toMatchObject({ job: { status: 'completed' } })
    })

    it('[J9] a completion sent twice is acknowledged twice and applied once, also by a replica that knows nothing', async () => {
      const room = newRoom()
      await submitted(room, submission(room))
      const [job] = await claimed(room, 1)
      await finished(room, [job as Job])
      const before = await store.read(room, [`job/${idOf(job)}`])
      const again = [{ job: idOf(job), events: [{ type: 'complete' as const, token: tokenOf(job) }] }]
      expect(await report(room, again, new ActiveJobs())).toMatchObject([{ job: { status: 'completed' } }])
      expect(await store.read(room, [`job/${idOf(job)}`])).toEqual(before)
    })

    it('[J54] the reports of a batch are answered each for itself, and two about one job build on each other', async () => {
      const room = newRoom()
      await submitted(room, submission(room), submission(room))
      const [a, b] = await claimed(room, 2)
      const answers = await report(room, [
        { job: idOf(a), events: [{ type: 'start', token: tokenOf(a) }] },
        { job: idOf(b), events: [{ type: 'start', token: 'wrong' as AttemptToken }] },
        { job: idOf(a), events: [{ type: 'complete', token: tokenOf(a) }], result: '{"energy":1}' },
        { job: 'no-such-job' as JobId, events: [{ type: 'start', token: tokenOf(a) }] },
      ])
      expect(answers).toMatchObject([
        { job: { status: 'running' } },
        { refused: 'attempt_superseded' },
        { job: { status: 'completed' } },
        { refused: 'job_not_found' },
      ])
      expect(await store.read(room, [`result/${idOf(a)}`])).toMatchObject([{ body: '{"energy":1}' }])
    })

    it('[J47] a key with the same body is the same job; with another body the whole bulk is refused', async () => {
      const room = newRoom()
      const keyed = (key: string, bodyHash: string) => submission(room, { idempotency: { key, bodyHash } })
      const first = keyed('k', 'x')
      await submitted(room, first)
      expect(await submitJobs(store, room, [keyed('k', 'x'), submission(room)])).toMatchObject([
        { id: first.id, created: false },
        { created: true },
      ])
      expect(await submitJobs(store, room, [submission(room), keyed('k', 'y')])).toMatchObject({
        refused: 'idempotency_mismatch',
      })
      expect((await page(room)).jobs).toHaveLength(2)
    })

    it('[J47] of twenty concurrent submits with one key exactly one makes a job', async () => {
      const room = newRoom()
      const submits = Array.from({ length: 20 }, () =>
        submitJobs(store, room, [submission(room, { idempotency: { key: 'once', bodyHash: 'x' } })]),
      )
      const ids = (await Promise.all(submits)).map((answer) =>
        isRefusal(answer) ? answer.refused : answer[0]?.id,
      )
      expect(new Set(ids).size).toBe(1)
      expect((await page(room)).jobs).toHaveLength(1)
    })

    it('[S17] the room limit holds at the claim, and a finished job makes room again', async () => {
      const room = newRoom()
      await submitted(room, ...Array.from({ length: 5 }, () => submission(room)))
      const first = await claimed(room, 5, 2)
      expect(first).toHaveLength(2)
      expect(await claimed(room, 5, 2)).toHaveLength(0)
      await finished(room, first.slice(0, 1))
      expect(await claimed(room, 5, 2)).toHaveLength(1)
    })

    it('[J20] a failed job that may be retried waits outside its queue, and is due when its backoff is over', async () => {
      const room = newRoom()
      await submitted(room, submission(room))
      const [job] = await claimed(room, 1)
      const error = { message: 'no licence' }
      await report(room, [
        { job: idOf(job), events: [{ type: 'start', token: tokenOf(job) }, failure(job, true, error)] },
      ])
      const waiting = await onlyJob(room)
      expect(waiting).toMatchObject({ status: 'pending', charged: 1, queued: false })
      expect(await store.queues(room)).toEqual([])
      const due = await store.due(waiting.retryAt ?? 0, 10_000)
      expect(due.filter(({ partition }) => partition === room)).toEqual([
        { partition: room, key: `job/${idOf(job)}`, dueAt: waiting.retryAt },
      ])
    })

    it('[J18] a fatal failure is a dead letter, in its room and across rooms', async () => {
      const room = newRoom()
      await submitted(room, submission(room), submission(room))
      const [job] = await claimed(room, 1)
      const events = [
        { type: 'start' as const, token: tokenOf(job) },
        failure(job, false, { message: 'bad cell' }),
      ]
      await report(room, [{ job: idOf(job), events }])
      const ids = (await page(room, { filter: { deadLetters: true } })).jobs.map(idOf)
      expect(ids).toEqual([idOf(job)])
      const everywhere = await page(null, { filter: { deadLetters: true } })
      expect(everywhere.jobs.map(idOf)).toContain(idOf(job))
    })

    it('[J51] pages answer by status, extension and user, with cursors that miss nothing', async () => {
      const room = newRoom()
      const bob = 'bob' as UserName
      const all = Array.from({ length: 30 }, (_, n) =>
        submission(room, {
          ...(n % 3 === 0 && { submitter: bob }),
          ...(n % 5 === 0 && { extension: 'Rotate' }),
        }),
      )
      await submitted(room, ...all)
      await finished(room, await claimed(room, 6))

      const ids = async (filter: JobsQuery['filter']) =>
        (await page(room, { filter, order: 'oldest' })).jobs.map(idOf)
      expect(await ids({ submitter: 'bob' })).toEqual(
        all.filter(({ submitter }) => submitter === bob).map((s) => s.id),
      )
      expect(await ids({ category: 'modifiers', extension: 'Rotate' })).toEqual(
        all.filter(({ extension }) => extension === 'Rotate').map((s) => s.id),
      )
      expect(await ids({ statuses: ['completed'] })).toHaveLength(6)
      expect(await ids({ statuses: ['pending', 'running'] })).toHaveLength(24)

      const walked: string[] = []
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const next = await page(room, { limit: 7, ...(cursor !== undefined && { cursor }) })
        walked.push(...next.jobs.map(idOf))
        cursor = next.cursor
      }
      expect(walked).toEqual(all.map(({ id }) => id).reverse())
    })

    it('[J55] pages are bounded in time by the instants in the ids', async () => {
      const room = newRoom()
      const start = store.now() + 1_000_000
      const all = Array.from({ length: 10 }, (_, n) => submission(room, { createdAt: start + n * 1_000 }))
      await submitted(room, ...all)
      const { jobs } = await page(room, { since: start + 2_000, until: start + 5_000, order: 'oldest' })
      expect(jobs.map(idOf)).toEqual(all.slice(2, 5).map(({ id }) => id))
      const newest = await page(room, { since: start + 2_000, until: start + 5_000, limit: 2 })
      expect(newest.jobs.map(idOf)).toEqual([all[4]?.id, all[3]?.id])
    })

    it('[J52] [J53] data is searched by text and by value', async () => {
      const room = newRoom()
      await submitted(
        room,
        ...[1, 50, 200].map((steps) => submission(room, { data: { steps, name: `run-${steps}` } })),
      )
      const found = await page(room, { filter: { data: [{ pointer: '/steps', is: 'greater', value: 10 }] } })
      expect(found.jobs.map((job) => (job.submission.data as { steps: number }).steps)).toEqual([200, 50])
      expect((await page(room, { filter: { text: 'RUN-50' } })).jobs).toHaveLength(1)
    })

    it('[J56] a search that finds little ends after a bound, says how far it looked, and goes on from there', async () => {
      const room = newRoom()
      const total = lookAtMost + 500
      for (let done = 0; done < total; done += 1_000) {
        const count = Math.min(1_000, total - done)
        const data = { wanted: done === 0 }
        await submitted(room, ...Array.from({ length: count }, () => submission(room, { data })))
      }
      const query = {
        filter: { data: [{ pointer: '/wanted', is: 'equal', value: true }] },
        limit: 2_000,
      } as const
      const first = await page(room, query)
      expect(first.looked).toBe(lookAtMost)
      const rest = await page(room, { ...query, ...(first.cursor !== undefined && { cursor: first.cursor }) })
      expect(first.jobs.length + rest.jobs.length).toBe(1_000)
      expect(rest.cursor).toBeUndefined()
    })

    it('[S13] jobs of several rooms are listed together in the order of their submits', async () => {
      const [one, two] = [newRoom(), newRoom()]
      const submissions = [one, two, one, two].map((room) => submission(room))
      for (const each of submissions) await submitted(each.room, each)
      const { jobs } = await page(null, { filter: { statuses: ['pending'] }, limit: 1_000 })
      const own = jobs.filter(({ submission: { room } }) => room === one || room === two).map(idOf)
      expect(own).toEqual(submissions.map(({ id }) => id).reverse())
    })
  })
}

function idOf(job: Job | undefined): JobId {
  return job?.submission.id ?? ('' as JobId)
}

function tokenOf(job: Job | undefined): AttemptToken {
  return job?.attempt?.token ?? ('' as AttemptToken)
}

function completion(job: Job): JobReport {
  const token = tokenOf(job)
  return {
    job: idOf(job),
    events: [
      { type: 'start', token },
      { type: 'complete', token },
    ],
  }
}

function failure(job: Job | undefined, retryable: boolean, error: { message: string }) {
  return { type: 'fail', token: tokenOf(job), retryable, error } as const
}
