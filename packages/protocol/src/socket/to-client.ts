// What the server says on the socket. Events of a room carry its sequence numbers: a batch says from–to, and a client
// that sees a gap or another epoch refetches. Progress and log lines are outside the sequence and may be dropped.

import Type, { type Static, type TProperties } from 'typebox'
import { AssignedJob, LogLine } from '../http/job.ts'
import { LockView } from '../http/lock.ts'
import { PresenceView } from '../http/presence.ts'
import { AttemptRef, Beat } from '../http/worker.ts'
import { Count, Id, Instant, JobStatus, Name, nullable, oneOf, Scope, strict } from '../shapes.ts'
import { toClient } from '../socket-event.ts'

/** `from` follows the `to` of the batch before, whatever was in between and did not concern this event. */
function batch<Fields extends TProperties>(fields: Fields) {
  return strict({
    room: nullable(Name),
    epoch: Type.String(),
    from: Count,
    to: Count,
    events: Type.Array(strict({ sequence: Count, at: Instant, ...fields })),
  })
}

export const jobAssigned = toClient({
  event: 'job:assigned',
  summary: 'Jobs for this worker; it answers with job:started or job:rejected before acceptBy',
  payload: Type.Array(AssignedJob),
})

export const jobCancel = toClient({
  event: 'job:cancel',
  summary: 'Attempts this worker has to stop: by their signal, or by killing what runs them',
  payload: Type.Array(strict({ ...AttemptRef.properties, how: oneOf('abort', 'kill') })),
})

export const workerBeat = toClient({
  event: 'worker:beat',
  summary: 'Are you there? The answer on this channel is what keeps the lease',
  payload: strict({}),
  reply: Beat,
})

export const jobStateChanged = toClient({
  event: 'job:state_changed',
  summary: 'Jobs of the room moved on',
  payload: batch({
    id: Id,
    status: JobStatus,
    category: Type.Optional(Name),
    extension: Type.Optional(Name),
    submitter: Type.Optional(Name),
    worker: Type.Optional(Name),
    /** How far the cancel of a job is that has not ended yet. */
    cancel: Type.Optional(Type.String()),
    waitMs: Type.Optional(Type.Number()),
    runMs: Type.Optional(Type.Number()),
  }),
})
export type JobStateChanged = Static<typeof jobStateChanged.payload>

export const jobProgressed = toClient({
  event: 'job:progress',
  summary: 'How far jobs of the room are; outside the sequence',
  payload: strict({
    room: Name,
    jobs: Type.Array(strict({ id: Id, fraction: Type.Number(), message: Type.Optional(Type.String()) })),
  }),
})

export const jobLogged = toClient({
  event: 'job:log',
  summary: 'New log lines of a job that was joined; outside the sequence',
  payload: strict({ room: Name, id: Id, lines: Type.Array(LogLine) }),
})

export const schemaInvalidated = toClient({
  event: 'schema:invalidated',
  summary: 'Extensions came, went, or changed: refetch the list',
  payload: batch({ scope: Scope, category: Name, name: Name }),
})

export const workerStateChanged = toClient({
  event: 'worker:state_changed',
  summary: 'Workers came, went, or changed',
  payload: batch({ worker: Id, presence: Type.String() }),
})

export const lockChanged = toClient({
  event: 'lock:changed',
  summary: 'A lock of the room was acquired, prolonged, told about, released, or has expired',
  payload: batch(LockView.properties),
})

export const roomChanged = toClient({
  event: 'room:changed',
  summary: 'Members, access or limits of the room changed',
  payload: batch({}),
})

export const roomsChanged = toClient({
  event: 'rooms:changed',
  summary:
    'A room was made or changed that this client may see: refetch the list; outside the sequence, after system:join',
  payload: strict({}),
})

export const auditAdded = toClient({
  event: 'audit:added',
  summary:
    'The audit trail has an entry more, or one of it has ended: for admins, and those who manage the room',
  payload: strict({
    room: nullable(Name),
    id: Id,
    actor: nullable(Name),
    action: Type.String(),
    outcome: Type.String(),
  }),
})

export const valuesChanged = toClient({
  event: 'values:changed',
  summary: 'My settings changed in another session of mine: refetch them',
  payload: strict({ room: Name, scope: Scope, category: Name, name: Name }),
})

export const feedReset = toClient({
  event: 'feed:reset',
  summary: 'The server lost its place in the log: refetch; a new epoch begins',
  payload: strict({ epoch: Type.String() }),
})

export const presenceChanged = toClient({
  event: 'presence:changed',
  summary: 'Who is in the room now; outside the sequence',
  payload: PresenceView,
})
