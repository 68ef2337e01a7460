// Everything a route or an event may use, made once by start-server.ts. Each use-case takes the few it names.

import type { Submission, UserRole } from '@millrace/domain'
import type { AuditKeeper } from './audit/audit-keeper.ts'
import type { FailedSignIns } from './audit/failed-sign-ins.ts'
import type { Credentials } from './credential/credentials.ts'
import type { BreakersParts } from './extension/breakers.ts'
import type { Extensions } from './extension/extensions.ts'
import type { RegistrationParts } from './extension/register-extension.ts'
import type { ActiveJobs } from './job/active-jobs.ts'
import type { ReportParts } from './job/attempt-reports.ts'
import type { RunTimes } from './job/run-times.ts'
import type { SubmitParts } from './job/submit-to-extension.ts'
import type { EdgeLimits } from './limits/edge-limits.ts'
import type { LockParts } from './lock/hold-locks.ts'
import type { RecordMemory } from './memory/record-memory.ts'
import type { Series } from './overview/series.ts'
import type { PassBook } from './placement/pass-book.ts'
import type { PoolSummaries } from './placement/pool-summaries.ts'
import type { WhyParts } from './placement/why-job.ts'
import type { PasswordHasher } from './ports/password-hasher.ts'
import type { RandomCodes } from './ports/random-codes.ts'
import type { Store } from './ports/store.ts'
import type { Presence } from './presence/presence.ts'
import type { Rooms } from './room/rooms.ts'
import type { UserMemory } from './user/user-record.ts'
import type { AssignedAttempts } from './worker/assigned-attempts.ts'
import type { LeaseRenewals } from './worker/lease-renewals.ts'
import type { ExtensionDesk } from './worker/register-worker.ts'
import type { Hold, Roster } from './worker/roster.ts'
import type { WorkerRecord } from './worker/worker-record.ts'

export interface ServerParts {
  readonly store: Store
  readonly users: UserMemory
  readonly hasher: PasswordHasher
  readonly codes: RandomCodes
  readonly credentials: Credentials
  readonly failedSignIns: FailedSignIns
  readonly auditKeeper: AuditKeeper
  readonly rooms: Rooms
  readonly known: Extensions
  readonly registration: RegistrationParts
  readonly submitting: SubmitParts
  readonly edge: EdgeLimits
  readonly active: ActiveJobs
  readonly roster: Roster
  readonly workers: RecordMemory<WorkerRecord>
  readonly assigned: AssignedAttempts
  readonly renewals: LeaseRenewals
  readonly reports: ReportParts
  readonly extensions: ExtensionDesk
  readonly onBreakerChanged: BreakersParts['onChanged']
  readonly locks: LockParts
  readonly summaries: PoolSummaries
  readonly why: WhyParts
  readonly times: RunTimes
  readonly limits: Limits
  readonly wake: () => void
  readonly holdOf: (submission: Submission) => Promise<Hold>
  readonly roleOfUser: (name: string) => Promise<UserRole | null>
  readonly passes: PassBook
  readonly series: Series
  readonly presence: Presence
}

export interface Limits {
  readonly resultMaxBytes: number
  readonly workerTokenTtlSeconds: number
}
