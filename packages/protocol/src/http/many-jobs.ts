// Dead letters, and what is done to many jobs of a room in one request.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Id, roomParams, strict } from '../shapes.ts'
import { JobsPage, JobsQuery } from './job.ts'

const { status, deadLetters, order, cursor, limit, ...narrowing } = JobsQuery.properties

export const listDeadLetters = route({
  method: 'GET',
  path: '/api/rooms/{room}/dead-letters',
  tag: 'jobs',
  summary: 'Jobs of this room that failed for good and were not retried',
  access: 'token',
  params: roomParams,
  query: strict({ ...narrowing, order, cursor, limit }),
  replies: { 200: JobsPage },
})

const dryRun = Type.Optional(
  Type.Boolean({ description: 'only count what would be met and refused; change nothing' }),
)

function choiceOf<Filter extends Parameters<typeof strict>[0]>(filter: Filter) {
  return Type.Union([
    strict({ ids: Type.Array(Id, { minItems: 1, maxItems: 1_000 }), dryRun }),
    strict({
      filter: strict(filter),
      dryRun,
      cursor: Type.Optional(Type.String({ maxLength: 200, description: 'the `next` of the answer before' })),
    }),
  ])
}

const JobsChoice = choiceOf({ status, deadLetters, ...narrowing })
export type JobsChoice = Static<typeof JobsChoice>

export const ManyDone = strict({
  /** Jobs that were named and are there, or that the filter found. */
  matched: Count,
  done: Count,
  refused: Type.Array(strict({ id: Id, code: Type.String() })),
  /** Absent when all that were meant had their turn; otherwise send it as the cursor to go on. */
  next: Type.Optional(Type.String()),
})
export type ManyDone = Static<typeof ManyDone>

export const redriveDeadLetters = route({
  method: 'POST',
  path: '/api/rooms/{room}/dead-letters/redrive',
  tag: 'jobs',
  summary: 'Run dead letters again, by ids or by filter: each as a new job that names it, and once',
  access: 'signed-in',
  params: roomParams,
  body: choiceOf(narrowing),
  replies: { 200: ManyDone },
})

export const cancelJobs = route({
  method: 'POST',
  path: '/api/rooms/{room}/jobs/cancel',
  tag: 'jobs',
  summary: 'Cancel many jobs, by ids or by filter; without a status those that have not ended',
  access: 'signed-in',
  params: roomParams,
  body: JobsChoice,
  replies: { 200: ManyDone },
})

export const retryJobs = route({
  method: 'POST',
  path: '/api/rooms/{room}/jobs/retry',
  tag: 'jobs',
  summary: 'Run many ended jobs again, by ids or by filter, each once; without a status the dead letters',
  access: 'signed-in',
  params: roomParams,
  body: JobsChoice,
  replies: { 200: ManyDone },
})
