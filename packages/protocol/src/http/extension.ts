// Extensions as a room sees them: the forms it may fill in, who serves them, and how they do.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import {
  Count,
  Id,
  Instant,
  JobStatus,
  Json,
  JsonObject,
  Name,
  nullable,
  oneOf,
  roomParams,
  Scope,
  strict,
} from '../shapes.ts'
import { SubmitOptions, Submitted } from './job.ts'

const extensionParams = strict({ room: Name, scope: Scope, category: Name, name: Name })

/** Open: nothing of it starts until then. Half-open: one job is about to be tried. Probing: it is being tried. */
const BreakerView = strict({
  state: oneOf('closed', 'open', 'half_open', 'probing'),
  /** When it last changed; null while it has never opened. */
  since: nullable(Instant),
  /** When one job is tried, or when the one that is tried is no longer waited for. */
  until: nullable(Instant),
})

export const ExtensionView = strict({
  scope: Scope,
  category: Name,
  name: Name,
  hash: Type.String(),
  schema: JsonObject,
  owner: Name,
  workers: Count,
  pending: Count,
  /** The scope that a submit without one would reach instead. */
  shadowedBy: nullable(Scope),
  /** Hashes whose jobs wait for a worker that is not there. */
  waitingFor: Type.Array(Type.String()),
  policy: JsonObject,
  registeredAt: Instant,
  /** Its jobs wait until somebody resumes it. */
  paused: nullable(strict({ by: Name, at: Instant })),
  breaker: BreakerView,
})
export type ExtensionView = Static<typeof ExtensionView>

export const ExtensionDetail = strict({
  ...ExtensionView.properties,
  admitted: Type.Array(Name),
  versions: Type.Array(
    strict({
      hash: Type.String(),
      workers: Type.Array(Name),
      current: Type.Boolean(),
      registeredAt: Instant,
      /** What leads from the current schema to this one; at most fifty. */
      changes: Type.Array(
        strict({
          change: oneOf('added', 'removed', 'changed'),
          pointer: Type.String(),
          before: Type.Optional(Json),
          after: Type.Optional(Json),
        }),
      ),
    }),
  ),
})
export type ExtensionDetail = Static<typeof ExtensionDetail>

/** Times over the last jobs that ended on this replica; null while there was none. */
export const ExtensionStats = strict({
  scope: Scope,
  category: Name,
  name: Name,
  workers: Count,
  freeSlots: Count,
  pending: Count,
  running: Count,
  completed: Count,
  failed: Count,
  breaker: BreakerView,
  waitMsP50: nullable(Type.Number()),
  waitMsP95: nullable(Type.Number()),
  runMsP50: nullable(Type.Number()),
  runMsP95: nullable(Type.Number()),
})
export type ExtensionStats = Static<typeof ExtensionStats>

export const listExtensions = route({
  method: 'GET',
  path: '/api/rooms/{room}/extensions',
  tag: 'extensions',
  summary: 'What can be run in this room',
  access: 'token',
  params: roomParams,
  replies: { 200: strict({ extensions: Type.Array(ExtensionView) }) },
})

export const getExtension = route({
  method: 'GET',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}',
  tag: 'extensions',
  summary: 'One extension with its versions and its workers',
  access: 'token',
  params: extensionParams,
  replies: { 200: ExtensionDetail },
})

export const extensionStats = route({
  method: 'GET',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/stats',
  tag: 'extensions',
  summary: 'How an extension does in this room',
  access: 'token',
  params: extensionParams,
  replies: { 200: ExtensionStats },
})

export const extensionsOverview = route({
  method: 'GET',
  path: '/api/extensions/overview',
  tag: 'extensions',
  summary: 'How every extension does, over the rooms I may see',
  access: 'signed-in',
  replies: {
    200: strict({ extensions: Type.Array(strict({ ...ExtensionStats.properties, room: nullable(Name) })) }),
  },
})

export const getValues = route({
  method: 'GET',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/values',
  tag: 'extensions',
  summary: 'What I submitted last, or my settings',
  access: 'signed-in',
  params: extensionParams,
  replies: { 200: strict({ values: Json, at: nullable(Instant) }) },
})

export const submitToExtension = route({
  method: 'POST',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/submit',
  tag: 'extensions',
  summary: 'Run it with this data; settings are stored and answered with 200',
  access: 'token',
  params: extensionParams,
  body: strict({ data: Json, ...SubmitOptions.properties }),
  replies: { 200: strict({ values: Json }), 201: Submitted },
})

export const submitManyToExtension = route({
  method: 'POST',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/submit-many',
  tag: 'extensions',
  summary: 'Run it many times, all or nothing: up to 1,000 jobs and 8 MB',
  access: 'token',
  params: extensionParams,
  body: strict({
    jobs: Type.Array(strict({ data: Json, ...SubmitOptions.properties }), { minItems: 1, maxItems: 1_000 }),
  }),
  replies: { 201: strict({ jobs: Type.Array(Submitted) }) },
})

export const pauseExtension = route({
  method: 'POST',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/pause',
  tag: 'extensions',
  summary: 'Let its jobs wait, in this room or, for a global one, in all; what runs goes on',
  access: 'signed-in',
  params: extensionParams,
  replies: { 200: ExtensionDetail },
})

export const resumeExtension = route({
  method: 'POST',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/resume',
  tag: 'extensions',
  summary: 'Let its jobs go on',
  access: 'signed-in',
  params: extensionParams,
  replies: { 200: ExtensionDetail },
})

export const resetBreaker = route({
  method: 'POST',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/reset-breaker',
  tag: 'extensions',
  summary: 'It is mended: close its breaker and let its jobs go on',
  access: 'signed-in',
  params: extensionParams,
  replies: { 200: ExtensionDetail },
})

const admissionParams = strict({ ...extensionParams.properties, user: Name })

export const admitUser = route({
  method: 'PUT',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/admitted/{user}',
  tag: 'extensions',
  summary: 'Let the workers of another user serve it',
  access: 'signed-in',
  params: admissionParams,
  replies: { 200: ExtensionDetail },
})

export const dismissUser = route({
  method: 'DELETE',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/admitted/{user}',
  tag: 'extensions',
  summary: 'No longer let them; their workers are withdrawn',
  access: 'signed-in',
  params: admissionParams,
  replies: { 200: ExtensionDetail },
})

export const recentInputs = route({
  method: 'GET',
  path: '/api/rooms/{room}/extensions/{scope}/{category}/{name}/recent-inputs',
  tag: 'extensions',
  summary: 'What I submitted to it lately: the last ten that differ, the latest first',
  access: 'signed-in',
  params: extensionParams,
  replies: {
    200: strict({ inputs: Type.Array(strict({ data: Json, at: Instant, job: Id, status: JobStatus })) }),
  },
})
