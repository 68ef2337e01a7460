// Workers as their owners and admins see them, and the REST door for those that cannot hold a socket.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import {
  Count,
  choice,
  Id,
  Instant,
  JsonObject,
  Name,
  nullable,
  Scope,
  strict,
  Token,
  WorkerKind,
} from '../shapes.ts'

const Resources = strict({
  slots: Type.Integer(),
  cpu: Type.Number(),
  memoryMb: Type.Number(),
  gpu: Type.Number(),
})

const Vitals = strict({
  memoryUsed: Type.Number({ minimum: 0, maximum: 1 }),
  load: Type.Number({ minimum: 0 }),
  cores: Type.Integer({ minimum: 1 }),
})

export const WorkerView = strict({
  id: Id,
  kind: WorkerKind,
  user: Name,
  channel: nullable(Type.Unsafe<'push' | 'pull'>({ type: 'string', enum: ['push', 'pull'] })),
  presence: Type.String(),
  healthy: Type.Boolean(),
  reason: nullable(Type.String()),
  draining: Type.Boolean(),
  total: Resources,
  free: Resources,
  labels: Type.Array(Type.String()),
  running: Count,
  /** What it runs, of rooms that the caller may read: the first hundred that its replica knows of. */
  jobs: Type.Array(strict({ room: Name, id: Id })),
  /** Of its machine, as its last beat said; null until it said so. */
  vitals: nullable(Vitals),
  extensions: Type.Array(strict({ room: nullable(Name), scope: Scope, category: Name, name: Name })),
  heardAt: Instant,
  leaseUntil: Instant,
  registeredAt: Instant,
})
export type WorkerView = Static<typeof WorkerView>

export const listWorkers = route({
  method: 'GET',
  path: '/api/workers',
  tag: 'workers',
  summary: 'My workers and those that serve rooms I may see; all of them for an admin',
  access: 'signed-in',
  replies: { 200: strict({ workers: Type.Array(WorkerView) }) },
})

const workerParams = strict({ id: Id })

export const getWorker = route({
  method: 'GET',
  path: '/api/workers/{id}',
  tag: 'workers',
  summary: 'One worker',
  access: 'signed-in',
  params: workerParams,
  replies: { 200: WorkerView },
})

export const drainWorker = route({
  method: 'POST',
  path: '/api/workers/{id}/drain',
  tag: 'workers',
  summary: 'Give it nothing new; what it runs it finishes',
  access: 'signed-in',
  params: workerParams,
  replies: { 200: WorkerView },
})

export const undrainWorker = route({
  method: 'DELETE',
  path: '/api/workers/{id}/drain',
  tag: 'workers',
  summary: 'Give it jobs again',
  access: 'signed-in',
  params: workerParams,
  replies: { 200: WorkerView },
})

export const disconnectWorker = route({
  method: 'POST',
  path: '/api/workers/{id}/disconnect',
  tag: 'workers',
  summary: 'Send it away at once; its jobs go to others, and it may register again',
  access: 'signed-in',
  params: workerParams,
  replies: { 200: WorkerView },
})

export const AttemptRef = strict({ room: Name, job: Id, token: Token })
export type AttemptRef = Static<typeof AttemptRef>

const Offer = choice({
  slots: Type.Integer(),
  cpu: Type.Number(),
  memoryMb: Type.Number(),
  gpu: Type.Number(),
  labels: Type.Array(Type.String(), { maxItems: 100 }),
})

export const ExtensionOffer = strict({
  /** The room it is for; not given for a global one. */
  room: Type.Optional(Name),
  scope: Type.Optional(Scope),
  category: Type.String({ maxLength: 256 }),
  name: Type.String({ maxLength: 256 }),
  schema: JsonObject,
  policy: Type.Optional(JsonObject),
})
export type ExtensionOffer = Static<typeof ExtensionOffer>

export const Registration = strict({
  worker: strict({
    /** Its own, and the same after a restart: jobs are resumed by it. */
    id: Id,
    kind: Type.Optional(WorkerKind),
    offers: Type.Optional(Offer),
    /** How many jobs with very short runs it takes beyond its slots, to begin them one after the other. */
    ahead: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    /** What it still runs from before, after a reconnect. */
    attempts: Type.Optional(Type.Array(AttemptRef, { maxItems: 10_000 })),
  }),
  extensions: Type.Array(ExtensionOffer, { maxItems: 100 }),
})
export type Registration = Static<typeof Registration>

export const RegisteredView = strict({
  worker: Id,
  extensions: Type.Array(
    strict({ room: nullable(Name), scope: Scope, category: Name, name: Name, hash: Type.String() }),
  ),
  /** Attempts it may carry on with, and those it has to drop: another has the job by now, or nobody. */
  resumed: Type.Array(AttemptRef),
  dropped: Type.Array(AttemptRef),
  beatMs: Type.Integer(),
  leaseMs: Type.Integer(),
})
export type RegisteredView = Static<typeof RegisteredView>

export const registerWorker = route({
  method: 'POST',
  path: '/api/workers/register',
  tag: 'workers',
  summary: 'A pull worker says what it serves',
  access: 'worker',
  body: Registration,
  replies: { 200: RegisteredView },
})

/** What a worker says when it is asked, on the channel over which it is given jobs. */
export const Beat = strict({
  running: Type.Array(AttemptRef, { maxItems: 10_000 }),
  free: Type.Integer(),
  vitals: Type.Optional(Vitals),
})
export type Beat = Static<typeof Beat>

export const beatWorker = route({
  method: 'POST',
  path: '/api/workers/{id}/beat',
  tag: 'workers',
  summary: 'A pull worker says that it lives and what it runs',
  access: 'worker',
  params: workerParams,
  body: Beat,
  replies: { 200: strict({ leaseUntil: Instant, dropped: Type.Array(AttemptRef) }) },
})
