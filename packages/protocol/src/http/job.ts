// Jobs: submitting, looking, reporting. A worker's writes carry the token of its attempt; a job's views never do.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import {
  Count,
  choice,
  Id,
  Instant,
  JobStatus,
  Json,
  JsonObject,
  LineNumber,
  Name,
  nullable,
  oneOf,
  roomParams,
  Scope,
  strict,
  Token,
} from '../shapes.ts'

export const JobError = strict({
  message: Type.String({ maxLength: 100_000 }),
  name: Type.Optional(Type.String({ maxLength: 1_000 })),
  stack: Type.Optional(Type.String({ maxLength: 100_000 })),
})
export type JobError = Static<typeof JobError>

const Progress = strict({ fraction: Type.Number(), message: Type.Optional(Type.String()), at: Instant })

const AttemptView = strict({
  worker: Name,
  assignedAt: Instant,
  acceptBy: Instant,
  startedAt: Type.Optional(Instant),
  runUntil: Type.Optional(Instant),
  endedAt: Type.Optional(Instant),
  outcome: Type.Optional(Type.String()),
  error: Type.Optional(JobError),
})

/** What a list shows of a job. */
export const JobSummary = strict({
  id: Id,
  room: Name,
  scope: Scope,
  category: Name,
  extension: Name,
  status: JobStatus,
  submitter: Name,
  priority: Type.Integer(),
  createdAt: Instant,
  worker: Type.Optional(Name),
  assignedAt: Type.Optional(Instant),
  startedAt: Type.Optional(Instant),
  endedAt: Type.Optional(Instant),
  waitMs: Type.Optional(Type.Number()),
  runMs: Type.Optional(Type.Number()),
  progress: Type.Optional(Progress),
  error: Type.Optional(JobError),
  deadLetter: Type.Boolean(),
  /** Tries that count against the policy so far. */
  charged: Count,
})
export type JobSummary = Static<typeof JobSummary>

export const JobView = strict({
  ...JobSummary.properties,
  schemaHash: Type.String(),
  data: Json,
  result: Type.Optional(Json),
  policy: JsonObject,
  notBefore: Type.Optional(Instant),
  runBy: Type.Optional(Instant),
  retryAt: Type.Optional(Instant),
  attempts: Type.Array(AttemptView),
  cancel: Type.Optional(strict({ by: Name, requestedAt: Instant, stage: Type.String(), stageAt: Instant })),
  redriveOf: Type.Optional(Id),
  redrivenAs: Type.Optional(Id),
  /** How often its error, or one like it, was seen in this room. */
  seen: Type.Optional(strict({ fingerprint: Id, count: Count, firstAt: Instant, lastAt: Instant })),
})
export type JobView = Static<typeof JobView>

/** How long a worker has to accept is the extension's alone: a claim gives it before it knows which job it takes. */
const JobPolicyChoice = choice({
  maxAttempts: Type.Integer(),
  backoffBaseMs: Type.Integer(),
  backoffCapMs: Type.Integer(),
  runLimitMs: Type.Integer(),
  cancelGraceMs: Type.Integer(),
  onWorkerLost: oneOf('requeue', 'fail'),
  retentionMs: Type.Integer(),
  deadLetterRetentionMs: Type.Integer(),
})

export const SubmitOptions = strict({
  priority: Type.Optional(Type.Integer({ description: '0 (lowest) to 10; capped by role' })),
  notBefore: Type.Optional(Instant),
  runBy: Type.Optional(Instant),
  policy: Type.Optional(JobPolicyChoice),
  idempotencyKey: Type.Optional(
    Type.String({ description: '1 to 128 visible ASCII characters; with the same one it is the same job' }),
  ),
})
export type SubmitOptions = Static<typeof SubmitOptions>

export const Submitted = strict({
  id: Id,
  /** False: it was submitted before with the same idempotency key and body. */
  created: Type.Boolean(),
})
export type Submitted = Static<typeof Submitted>

export const submitJob = route({
  method: 'POST',
  path: '/api/rooms/{room}/jobs',
  tag: 'jobs',
  summary: 'Submit a job; without a scope the nearest extension of that name is meant',
  access: 'token',
  params: roomParams,
  body: strict({
    category: Name,
    extension: Name,
    scope: Type.Optional(Scope),
    data: Json,
    ...SubmitOptions.properties,
  }),
  replies: { 200: strict({ values: Json }), 201: Submitted },
})

export const JobsQuery = strict({
  status: Type.Optional(Type.String({ maxLength: 200, description: 'one or several, separated by commas' })),
  category: Type.Optional(Name),
  extension: Type.Optional(Name),
  submitter: Type.Optional(Name),
  deadLetters: Type.Optional(Type.Boolean()),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'text that the data contains' })),
  order: Type.Optional(oneOf('newest', 'oldest')),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
})
export type JobsQuery = Static<typeof JobsQuery>

export const JobsPage = strict({
  jobs: Type.Array(JobSummary),
  cursor: Type.Optional(Type.String()),
  /** How many were looked at, matching or not: a search is bounded and says how far it came. */
  looked: Count,
})
export type JobsPage = Static<typeof JobsPage>

export const listRoomJobs = route({
  method: 'GET',
  path: '/api/rooms/{room}/jobs',
  tag: 'jobs',
  summary: 'Jobs of this room',
  access: 'token',
  params: roomParams,
  query: JobsQuery,
  replies: { 200: JobsPage },
})

export const listAllJobs = route({
  method: 'GET',
  path: '/api/jobs',
  tag: 'jobs',
  summary: 'Jobs of all rooms I may see',
  access: 'signed-in',
  query: JobsQuery,
  replies: { 200: JobsPage },
})

const jobParams = strict({ room: Name, id: Id })

export const getJob = route({
  method: 'GET',
  path: '/api/rooms/{room}/jobs/{id}',
  tag: 'jobs',
  summary: 'One job with its data, attempts and result',
  access: 'token',
  params: jobParams,
  replies: { 200: JobView },
})

export const WhyView = strict({
  status: JobStatus,
  /** A sentence for people. */
  sentence: Type.String(),
  /** A stable word for programs; null for a job that does not wait. */
  reason: nullable(Type.String()),
  /** The figures behind the sentence. */
  details: JsonObject,
  /** Jobs ahead of this one in its queue; null where it does not stand in one. */
  ahead: nullable(Count),
  estimateMs: nullable(Type.Number()),
})
export type WhyView = Static<typeof WhyView>

export const whyJob = route({
  method: 'GET',
  path: '/api/rooms/{room}/jobs/{id}/why',
  tag: 'jobs',
  summary: 'Why a job waits, how many are ahead, and about how long',
  access: 'token',
  params: jobParams,
  replies: { 200: WhyView },
})

export const jobEvents = route({
  method: 'GET',
  path: '/api/rooms/{room}/jobs/{id}/events',
  tag: 'jobs',
  summary: 'What happened to a job so far',
  access: 'token',
  params: jobParams,
  replies: {
    200: strict({
      events: Type.Array(
        strict({ at: Instant, status: JobStatus, reason: Type.String(), by: Type.Optional(Type.String()) }),
      ),
    }),
  },
})

export const LogLine = strict({
  /** Counted from the job's first line; lines that were dropped leave a gap at the beginning. */
  number: Count,
  at: Instant,
  text: Type.String(),
})
export type LogLine = Static<typeof LogLine>

export const jobLogs = route({
  method: 'GET',
  path: '/api/rooms/{room}/jobs/{id}/logs',
  tag: 'jobs',
  summary: 'The last lines a job logged',
  access: 'token',
  params: jobParams,
  query: strict({ after: Type.Optional(Type.Integer({ minimum: -1 })) }),
  replies: { 200: strict({ lines: Type.Array(LogLine), dropped: Count }) },
})

export const cancelJob = route({
  method: 'POST',
  path: '/api/rooms/{room}/jobs/{id}/cancel',
  tag: 'jobs',
  summary: 'Cancel a job in whatever state it is',
  access: 'signed-in',
  params: jobParams,
  replies: { 202: JobSummary },
})

export const retryJob = route({
  method: 'POST',
  path: '/api/rooms/{room}/jobs/{id}/retry',
  tag: 'jobs',
  summary:
    'Retry an ended job, as a new job that names it; a failed one is retried once, and asked again names the same job',
  access: 'token',
  params: jobParams,
  replies: { 201: Submitted },
})

export const reportStatus = route({
  method: 'PUT',
  path: '/api/rooms/{room}/jobs/{id}/status',
  tag: 'jobs',
  summary: 'A worker reports about its attempt',
  access: 'worker',
  params: jobParams,
  body: strict({
    token: Token,
    status: oneOf('running', 'processing', 'completed', 'failed', 'rejected'),
    progress: Type.Optional(Type.Number()),
    message: Type.Optional(Type.String({ maxLength: 10_000 })),
    result: Type.Optional(Json),
    error: Type.Optional(JobError),
    retryable: Type.Optional(Type.Boolean()),
    log: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
    first: Type.Optional(LineNumber),
  }),
  replies: { 200: strict({ status: JobStatus }) },
})

export const AssignedJob = strict({
  id: Id,
  room: Name,
  token: Token,
  scope: Scope,
  category: Name,
  extension: Name,
  schemaHash: Type.String(),
  data: Json,
  submitter: Name,
  /** How many tries went before this one. */
  charged: Count,
  acceptBy: Instant,
  runLimitMs: Type.Integer(),
  cancelGraceMs: Type.Integer(),
})
export type AssignedJob = Static<typeof AssignedJob>

export const nextJob = route({
  method: 'POST',
  path: '/api/jobs/next',
  tag: 'jobs',
  summary: 'A pull worker asks for its next job and waits for it; 204 when there was none',
  access: 'worker',
  body: strict({
    worker: Id,
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 25_000 })),
  }),
  replies: { 200: AssignedJob, 204: null },
})
