// What clients and workers say on the socket. Reports about jobs are arrays, so that a busy worker sends one message
// for many jobs; each entry is answered for itself.

import Type, { type Static } from 'typebox'
import { JobError, SubmitOptions, Submitted } from '../http/job.ts'
import { AcquireLock, LockView, MessageLock, RefreshLock, ReleaseLock } from '../http/lock.ts'
import { RegisteredView, Registration } from '../http/worker.ts'
import {
  Count,
  Id,
  JobStatus,
  Json,
  LineNumber,
  Name,
  nullable,
  Problem,
  Scope,
  strict,
  Token,
} from '../shapes.ts'
import { accepted, toServer } from '../socket-event.ts'

const attempt = { room: Name, job: Id, token: Token }

/** A worker batches what happened in one turn; more than this belongs in the next message. */
const maxReports = 1_000

function reports<Entry extends Type.TSchema>(entry: Entry) {
  return Type.Array(entry, { minItems: 1, maxItems: maxReports })
}

/** For each report, in its order. */
const ReportAnswer = Type.Union([strict({ status: JobStatus }), strict({ problem: Problem })])
const reportAnswers = accepted({ answers: Type.Array(ReportAnswer) })
export type ReportAnswer = Static<typeof ReportAnswer>

export const roomJoin = toServer({
  event: 'room:join',
  summary: 'Hear what happens in a room from now on; with a job, its log lines too',
  access: 'token',
  payload: strict({ room: Name, job: Type.Optional(Id) }),
  reply: accepted({
    epoch: Type.String(),
    /** The last number already told; null when none was since the server began to listen. */
    sequence: nullable(Count),
  }),
})

export const roomLeave = toServer({
  event: 'room:leave',
  summary: 'Hear no more of a room',
  access: 'token',
  payload: strict({ room: Name }),
  reply: accepted({}),
})

export const systemJoin = toServer({
  event: 'system:join',
  summary: 'Hear what belongs to no room: workers and global extensions',
  access: 'token',
  payload: strict({}),
  reply: accepted({ epoch: Type.String(), sequence: nullable(Count) }),
})

export const extensionRegister = toServer({
  event: 'extension:register',
  summary: 'This connection belongs to a worker that serves these extensions, and takes jobs from now on',
  access: 'worker',
  payload: Registration,
  reply: accepted(RegisteredView.properties),
})

export const extensionUnregister = toServer({
  event: 'extension:unregister',
  summary: 'The worker no longer serves an extension; without one, it serves none and takes no more jobs',
  access: 'worker',
  payload: strict({
    extension: Type.Optional(
      strict({ room: Type.Optional(Name), scope: Type.Optional(Scope), category: Name, name: Name }),
    ),
  }),
  reply: accepted({}),
})

export const jobSubmit = toServer({
  event: 'job:submit',
  summary: 'Submit a job; without a scope the nearest extension of that name is meant',
  access: 'token',
  payload: strict({
    room: Name,
    category: Name,
    extension: Name,
    scope: Type.Optional(Scope),
    data: Json,
    ...SubmitOptions.properties,
  }),
  reply: accepted(Submitted.properties),
})

export const jobStarted = toServer({
  event: 'job:started',
  summary: 'The worker accepts jobs and runs them',
  access: 'worker',
  payload: reports(strict(attempt)),
  reply: reportAnswers,
})

export const jobRejected = toServer({
  event: 'job:rejected',
  summary: 'The worker cannot take jobs it was assigned',
  access: 'worker',
  payload: reports(strict({ ...attempt, reason: Type.Optional(Type.String({ maxLength: 1_000 })) })),
  reply: reportAnswers,
})

export const jobProgress = toServer({
  event: 'job:progress',
  summary: 'How far jobs are, from 0 to 1',
  access: 'worker',
  payload: reports(
    strict({
      ...attempt,
      fraction: Type.Number(),
      message: Type.Optional(Type.String({ maxLength: 10_000 })),
    }),
  ),
  reply: reportAnswers,
})

export const jobLog = toServer({
  event: 'job:log',
  summary: 'Lines that jobs logged',
  access: 'worker',
  payload: reports(
    strict({
      ...attempt,
      lines: Type.Array(Type.String(), { minItems: 1, maxItems: 1_000 }),
      first: Type.Optional(LineNumber),
    }),
  ),
  reply: reportAnswers,
})

export const jobCompleted = toServer({
  event: 'job:completed',
  summary: 'Jobs are done',
  access: 'worker',
  payload: reports(
    strict({
      ...attempt,
      /** It was started as well, and this message is the first to say so. */
      started: Type.Optional(Type.Boolean()),
      result: Type.Optional(Json),
    }),
  ),
  reply: reportAnswers,
})

export const jobFailed = toServer({
  event: 'job:failed',
  summary: 'Jobs failed; a fatal failure is not tried again',
  access: 'worker',
  payload: reports(
    strict({
      ...attempt,
      started: Type.Optional(Type.Boolean()),
      error: JobError,
      retryable: Type.Optional(Type.Boolean()),
    }),
  ),
  reply: reportAnswers,
})

export const jobStopped = toServer({
  event: 'job:stopped',
  summary: 'How far the worker is with a cancel: it heard of it, the handler ended, or the runner was killed',
  access: 'worker',
  payload: reports(
    strict({
      ...attempt,
      stage: Type.Unsafe<'acknowledged' | 'stopped' | 'killed'>({
        type: 'string',
        enum: ['acknowledged', 'stopped', 'killed'],
      }),
    }),
  ),
  reply: reportAnswers,
})

const lock = { room: Name, target: Name }
const lockView = accepted(LockView.properties)

export const lockAcquire = toServer({
  event: 'lock:acquire',
  summary:
    'Hold a lock; it is freed some seconds after this connection is lost, unless its session refreshes it',
  access: 'worker',
  payload: strict({ ...lock, ...AcquireLock.properties }),
  reply: lockView,
})

export const lockRefresh = toServer({
  event: 'lock:refresh',
  summary: 'Keep holding a lock',
  access: 'worker',
  payload: strict({ ...lock, ...RefreshLock.properties }),
  reply: lockView,
})

export const lockRelease = toServer({
  event: 'lock:release',
  summary: 'Let go of a lock',
  access: 'worker',
  payload: strict({ ...lock, ...ReleaseLock.properties }),
  reply: lockView,
})

export const lockMessage = toServer({
  event: 'lock:message',
  summary: 'Say to everybody in the room what the lock is held for',
  access: 'worker',
  payload: strict({ ...lock, ...MessageLock.properties }),
  reply: lockView,
})
