import type {
  AttemptToken,
  Job,
  JobId,
  RoomName,
  SchemaHash,
  Submission,
  UserName,
  WorkerId,
} from '@millrace/domain'
import {
  defaultPolicy,
  isRefusal,
  type JobEvent,
  jobOf,
  prepareAttempt,
  submit,
  transition,
} from '@millrace/domain'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeAttempt, decodeHead, encodeAttempt, encodeHead } from './job-text.ts'
import { decodeSubmission, encodeSubmission } from './submission-text.ts'

const start = 1_800_000_000_000

function newJob(): Job {
  const answer = submit({
    id: 'job-1' as JobId,
    room: 'room' as RoomName,
    scope: 'room',
    category: 'modifiers',
    extension: 'Relax',
    schemaHash: 'h' as SchemaHash,
    data: { deep: [1, 'two', null] },
    submitter: 'alice' as UserName,
    priority: 3,
    createdAt: start,
    runBy: start + 1e9,
    policy: { ...defaultPolicy, onWorkerLost: 'fail', maxAttempts: 2 },
    idempotency: { key: 'k', bodyHash: 'x' },
    redriveOf: 'job-0' as JobId,
  })
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer.next
}

function eventOf(kind: number, job: Job, now: number, step: number): JobEvent {
  const token = job.attempt?.token ?? ('none' as AttemptToken)
  const error = { message: 'broken', name: 'Error', stack: 'at line 1' }
  const plan = { token: `t${step}` as AttemptToken, worker: 'w' as WorkerId, now, acceptMs: 5_000 }
  const events: readonly JobEvent[] = [
    { type: 'assign', attempt: prepareAttempt(plan) },
    { type: 'start', token },
    { type: 'progress', token, fraction: 0.5, message: 'half' },
    { type: 'fail', token, retryable: true, error },
    { type: 'fail', token, retryable: false, error: { message: 'expected [[' } },
    { type: 'complete', token, result: '{"text":"it said \\"so\\""}' },
    { type: 'reject', token, reason: 'busy [[' },
    { type: 'cancel', by: 'bob' as UserName },
    { type: 'cancel_stage', token, stage: 'delivered' },
    { type: 'ready' },
    { type: 'redrive', as: 'job-2' as JobId },
  ]
  return events[kind % events.length] as JobEvent
}

it('[J57] a job comes back from its three texts as it was, whatever happened to it', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 10 }), { minLength: 1, maxLength: 40 }), (kinds) => {
      let job = newJob()
      for (const [step, kind] of kinds.entries()) {
        const now = start + step * 400_000
        const answer = transition(job, eventOf(kind, job, now, step), now, 0.5)
        if (!isRefusal(answer)) job = answer.next
        seen.add(job.status)
        const attempt = job.attempt && decodeAttempt(encodeAttempt(job.attempt))
        const again = jobOf(
          decodeSubmission(encodeSubmission(job.submission), job.submission),
          decodeHead(encodeHead(job)),
          attempt,
        )
        expect(again).toEqual(job)
      }
    }),
    { seed: 20_261_116, numRuns: 500 },
  )
  expect(seen).toEqual(new Set(['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']))
})

it('[J57] a head of a later format is refused and not misread', () => {
  const later = encodeHead(newJob()).replace(/^\[2,/, '[3,')
  expect(() => decodeHead(later)).toThrow('format 3')
})

it('[J57] a head of the first format, whose story is written out, is read as it was meant', () => {
  const ended = '[["t","w",5,10000],[1,240001],7,"completed"]'
  const story = '[0,0,"submitted","alice"],[5,1,"assigned","w"],[6,2,"started","w"],[7,3,"completed","w"]'
  const first = `[1,3,0,0,0,0,${start},[${story}],[${ended}],[7,6,1]]`
  const head = decodeHead(first)
  expect(head.history).toEqual([
    { at: start, status: 'pending', reason: 'submitted', by: 'alice' },
    { at: start + 5, status: 'assigned', reason: 'assigned', by: 'w' },
    { at: start + 6, status: 'running', reason: 'started', by: 'w' },
    { at: start + 7, status: 'completed', reason: 'completed', by: 'w' },
  ])
  const job = jobOf(newJob().submission, head, null)
  expect(decodeHead(encodeHead(job))).toEqual(head)
  expect(encodeHead(job).length).toBeLessThan(first.length - 30)
})

function endedJob(): Job {
  const events = [0, 1, 5].map((kind) => (job: Job) => eventOf(kind, job, start + 10 * kind, kind))
  return events.reduce((job, event, at) => {
    const answer = transition(job, event(job), start + 100 * at, 0.5)
    if (isRefusal(answer)) throw new Error(answer.message)
    return answer.next
  }, newJob())
}

it('[J57] of jobs that ended alike each keeps what is its own, be it a single thing', () => {
  const job = endedJob()
  const [attempt] = job.ended
  if (job.status !== 'completed' || !attempt) throw new Error('it should have ended')
  const own = (changed: object): Job => ({ ...job, ended: [{ ...attempt, ...changed }] })
  const told = (changed: object): Job => ({
    ...job,
    history: job.history.map((entry, at) => (at === 2 ? { ...entry, ...changed } : entry)),
  })
  const others: readonly Job[] = [
    own({ token: 't99' }),
    own({ worker: 'w2' }),
    own({ assignedAt: attempt.assignedAt + 1 }),
    own({ acceptBy: attempt.acceptBy + 1 }),
    own({ startedAt: (attempt.startedAt ?? 0) + 1 }),
    own({ runUntil: (attempt.runUntil ?? 0) + 1 }),
    own({ endedAt: attempt.endedAt + 1 }),
    own({ outcome: 'cancelled' }),
    own({ error: { message: 'broken' } }),
    told({ at: start + 1 }),
    told({ status: 'failed' }),
    told({ reason: 'worker returned' }),
    told({ by: 'carol' }),
    { ...job, history: job.history.slice(0, -1) },
    { ...job, status: 'cancelled' },
    { ...job, queued: true },
    { ...job, charged: job.charged + 1 },
    { ...job, uncharged: job.uncharged + 1 },
    { ...job, deadLetter: true },
    { ...job, endedAt: (job.endedAt ?? 0) + 1 },
    { ...job, waitMs: (job.waitMs ?? 0) + 1 },
    { ...job, runMs: (job.runMs ?? 0) + 1 },
    { ...job, result: '"another"' },
    { ...job, progress: { fraction: 0.5, at: start } },
  ]
  for (const other of others) {
    for (const each of [job, other, job]) {
      const { submission: _submission, attempt: _attempt, ...head } = each
      expect(decodeHead(encodeHead(each))).toEqual(head)
    }
  }
})

it('[J57] heads that are alike to the letter are one head, and the next that differs is read for itself', () => {
  const job = newJob()
  const [text, other] = [encodeHead(job), encodeHead({ ...job, charged: 1 })]
  expect(decodeHead(text)).toBe(decodeHead(`${text}`))
  expect(decodeHead(other).charged).toBe(1)
  expect(decodeHead(text).charged).toBe(0)
})

it('[J57] a batch of jobs of several kinds comes back as it was, with one policy for each kind', () => {
  const { submission } = newJob()
  const { runBy: _runBy, idempotency: _key, redriveOf: _of, ...plain } = submission
  const kinds: readonly Submission[] = [
    submission,
    plain,
    { ...plain, id: 'job-2' as JobId, data: null },
    { ...plain, submitter: 'bob' as UserName },
    { ...plain, priority: 7, data: 'a line\nand another' },
    { ...plain, policy: defaultPolicy, notBefore: start + 5, addressee: 'host' as WorkerId },
    plain,
  ]
  const read = kinds.map(encodeSubmission).map((text, at) => decodeSubmission(text, kinds[at] as Submission))
  expect(read).toEqual(kinds)
  expect(read[2]?.policy).toBe(read[1]?.policy)
})

it('[J57] a body of the first format is read as it was meant, and one of a later format is refused', () => {
  const { submission } = newJob()
  const policy = Object.values({ ...submission.policy })
  const { id: _id, room: _room, ...named } = submission
  const first = JSON.stringify({ id: submission.id, room: submission.room, ...named, policy })
  const elsewhere = { room: 'other' as RoomName, id: 'job-9' as JobId }
  expect(decodeSubmission(first, elsewhere)).toEqual(submission)
  const later = encodeSubmission(submission).replace(/^\[2,/, '[3,')
  expect(() => decodeSubmission(later, submission)).toThrow('format 3')
})
