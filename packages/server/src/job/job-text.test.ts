import type { AttemptToken, Job, JobId, RoomName, SchemaHash, UserName, WorkerId } from '@millrace/domain'
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
import {
  decodeAttempt,
  decodeHead,
  decodeSubmission,
  encodeAttempt,
  encodeHead,
  encodeSubmission,
} from './job-text.ts'

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
    { type: 'fail', token, retryable: false, error },
    { type: 'complete', token },
    { type: 'reject', token, reason: 'busy' },
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
          decodeSubmission(encodeSubmission(job.submission)),
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
  const later = encodeHead(newJob()).replace(/^\[1,/, '[2,')
  expect(() => decodeHead(later)).toThrow('format 2')
})
