// What a pull worker reports about its attempt is a sign of life, as its beats are, at whichever replica. A pushed one
// proves its life on the channel that gives it jobs, and nowhere else.

import type { AttemptToken, JobId, UserName } from '@millrace/domain'
import { jobKey, jobOfRecord } from '../job/job-record.ts'
import type { RecordMemory } from '../memory/record-memory.ts'
import type { Store } from '../ports/store.ts'
import type { LeaseRenewals } from './lease-renewals.ts'
import type { Roster } from './roster.ts'
import { type WorkerRecord, workerKey } from './worker-record.ts'

export interface HearingParts {
  readonly store: Store
  readonly roster: Roster
  readonly workers: RecordMemory<WorkerRecord>
  readonly renewals: LeaseRenewals
}

export interface ReportedAttempt {
  readonly room: string
  readonly job: JobId
  readonly token: AttemptToken
}

/** Asked before the report is applied, after which nobody holds an attempt that ended by it. */
export function hearReport(parts: HearingParts, user: UserName, reported: ReportedAttempt): void {
  const holder = parts.roster.holderOf(reported.token)
  const heard = holder ? hear(parts, user, holder.record) : hearOther(parts, user, reported)
  // What goes wrong is told where it is written; the report itself does not wait for it.
  heard.catch(() => undefined)
}

async function hear({ renewals }: HearingParts, user: UserName, record: WorkerRecord): Promise<void> {
  if (record.channel === 'pull' && record.worker.user === user) await renewals.heard(record.worker.id, null)
}

/** Another replica gave it the job; this one may never have met the worker. */
async function hearOther(
  parts: HearingParts,
  user: UserName,
  { room, job: id, token }: ReportedAttempt,
): Promise<void> {
  const [record] = await parts.store.read(room, [jobKey(id)])
  const attempt = record ? jobOfRecord(record).attempt : null
  if (attempt?.token !== token) return
  const known = await parts.workers.get('system', workerKey(attempt.worker))
  if (known) await hear(parts, user, known.value)
}
