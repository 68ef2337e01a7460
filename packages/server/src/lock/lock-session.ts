// Who holds a lock: a person's session, or the attempt of a job. A session's name begins with its user, so nobody speaks
// for a session of somebody else; an attempt is proved by its token and by being the current one.

import {
  type AttemptToken,
  type Identity,
  isRefusal,
  type Job,
  type JobId,
  type Refusal,
  refuse,
  type SessionId,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import { jobKey, jobOfRecord } from '../job/job-record.ts'
import type { RecordMemory } from '../memory/record-memory.ts'
import type { Store } from '../ports/store.ts'
import { openRoom, type Rooms } from '../room/rooms.ts'
import { type WorkerRecord, workerKey } from '../worker/worker-record.ts'
import type { Guard } from './change-lock.ts'
import { attemptSessionName, type LockingAttempt } from './held-locks.ts'

export interface SessionParts {
  readonly store: Store
  readonly rooms: Rooms
  readonly workers: RecordMemory<WorkerRecord>
}

export interface SessionClaim {
  readonly session?: string
  readonly attempt?: { readonly job: string; readonly token: string }
}

export interface LockSession {
  readonly session: SessionId
  /** Shown as the holder. */
  readonly user: UserName
  /** Whose session it is, where it is no person's. */
  readonly attempt: LockingAttempt | null
  /** What the session rests on, looked at anew for every try to commit. */
  readonly guard: () => Promise<Guard | Refusal>
}

const unguarded = async (): Promise<Guard> => ({ expect: {} })

export async function lockSession(
  parts: SessionParts,
  who: Identity,
  room: string,
  { session, attempt }: SessionClaim,
): Promise<LockSession | Refusal> {
  if (attempt !== undefined) return attemptSession(parts, who, room, attempt)
  const entered = await openRoom(parts.rooms, room, who, 'submit')
  if (isRefusal(entered)) return entered
  return { session: sessionName(who, session), user: who.user, attempt: null, guard: unguarded }
}

function sessionName({ user, tokenId }: Identity, session = tokenId): SessionId {
  return `${user}:${session}` as SessionId
}

async function attemptSession(
  parts: SessionParts,
  who: Identity,
  room: string,
  { job: id, token }: { readonly job: string; readonly token: string },
): Promise<LockSession | Refusal> {
  const entered = await openRoom(parts.rooms, room, who, 'report')
  if (isRefusal(entered)) return entered
  const current = await currentAttempt(parts, who, room, id as JobId, token)
  if (isRefusal(current)) return current
  return {
    session: attemptSessionName(token),
    user: current.job.submission.submitter,
    attempt: { job: id as JobId, token: token as AttemptToken },
    guard: async () => {
      const now = await currentAttempt(parts, who, room, id as JobId, token)
      return isRefusal(now) ? now : { expect: { [jobKey(id as JobId)]: now.version } }
    },
  }
}

async function currentAttempt(
  { store, workers }: SessionParts,
  who: Identity,
  room: string,
  id: JobId,
  token: string,
): Promise<{ readonly job: Job; readonly version: number } | Refusal> {
  const [record] = await store.read(room, [jobKey(id)])
  const job = record ? jobOfRecord(record) : null
  if (!record || !job || job.attempt?.token !== token) return refuse('attempt_superseded')
  const worker = await workers.get('system', workerKey(job.attempt.worker as WorkerId))
  if (worker?.value.worker.user !== who.user) return refuse('worker_not_yours')
  return { job, version: record.version }
}
