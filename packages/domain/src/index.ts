// The domain decides. It has no clock, no dice and no I/O: instants and random numbers are handed in.

// words shared by all nouns

export type {
  AttemptToken,
  JobId,
  RoomName,
  SchemaHash,
  SessionId,
  UserName,
  WorkerId,
} from './ids.ts'
export type { Limit } from './limit.ts'
export type { Refusal, RefusalCode, RefusalEntry } from './refusal.ts'
export { isRefusal, refusalCatalogue, refuse } from './refusal.ts'

// job

export type { AttemptPlan } from './job/attempt.ts'
export { headOf, jobOf, prepareAttempt, withAttempt } from './job/attempt.ts'
export { textLimits } from './job/bounded-error.ts'
export { dueAt, onDue } from './job/due.ts'
export { isTerminal } from './job/end-job.ts'
export type { ErrorKind } from './job/error-fingerprint.ts'
export { errorKind, errorSeen } from './job/error-fingerprint.ts'
export type { HeardLines } from './job/heard-lines.ts'
export { hearLines } from './job/heard-lines.ts'
export { historyLimit, historyOf } from './job/history.ts'
export type { IdempotencyDecision } from './job/idempotency.ts'
export { idempotencyDecision } from './job/idempotency.ts'
export type {
  Attempt,
  AttemptOutcome,
  CancelRequest,
  CancelStage,
  EndedAttempt,
  HistoryEntry,
  Job,
  JobError,
  JobHead,
  JobStatus,
  Progress,
  Scope,
  Submission,
  TerminalStatus,
} from './job/job.ts'
export type { JobEffect, StopHow, Transition } from './job/job-effect.ts'
export type { AttemptEvent, DueEvent, JobEvent, JobEventOf, JobEventType } from './job/job-event.ts'
export type { DataCondition, JobFilter } from './job/job-filter.ts'
export { meetsFilter } from './job/job-filter.ts'
export { band, bandCount, boostMs, score } from './job/order.ts'
export type { JobPolicy } from './job/policy.ts'
export { defaultPolicy, policyLimits, resolvePolicy } from './job/policy.ts'
export { capPriority, priorityCaps, priorityLimit } from './job/priority.ts'
export type { QueueIdentity } from './job/queue.ts'
export { queueOf, taskRunBy } from './job/queue.ts'
export { readyAt } from './job/ready.ts'
export type { RedriveOrder } from './job/redrive.ts'
export { deadLetterRefusal, redriveSubmission } from './job/redrive.ts'
export { expiresAt } from './job/retention.ts'
export { maxUnchargedDeliveries } from './job/retry.ts'
export { maxDelayMs, submit } from './job/submit.ts'
export { transition } from './job/transition.ts'

// extension

export { admitUser, dismissUser, maxAdmitted, mayAdmit, mayServe } from './extension/admission.ts'
export type { JsonLimits } from './extension/canonical-json.ts'
export { canonicalJson, isPlainObject, pointerToken } from './extension/canonical-json.ts'
export type { Extension, ExtensionVersion, Home, PinnedJobs } from './extension/extension.ts'
export { liveWorkers, versionOf, waitingFor } from './extension/extension.ts'
export type { ExtensionPolicy, ExtensionPolicyChoice } from './extension/extension-policy.ts'
export { extensionPolicy, maxRunningLimit } from './extension/extension-policy.ts'
export type { ExtensionId, ExtensionName } from './extension/identity.ts'
export { extensionKey, parseExtensionId } from './extension/identity.ts'
export { pauseExtension, resumeExtension } from './extension/pause.ts'
export { parsePolicyChoice } from './extension/policy-choice.ts'
export type { Registered, Registration, Surroundings } from './extension/register.ts'
export { maxVersions, registerExtension } from './extension/register.ts'
export type { KnownNames, RegistrationPlace } from './extension/registration-rights.ts'
export { breakerOf, resetBreakerOf, withBreaker } from './extension/reset-breaker.ts'
export type { ListedExtension, Resolved, Wanted } from './extension/resolve.ts'
export { listExtensions, resolveExtension } from './extension/resolve.ts'
export type { AdmittedSchema } from './extension/schema.ts'
export { admitSchema, dataLimits, schemaLimits } from './extension/schema.ts'
export type { SchemaChange } from './extension/schema-diff.ts'
export { describeChanges, diffSchemas } from './extension/schema-diff.ts'
export { utf8Bytes } from './extension/utf8-bytes.ts'
export { guestValuesKeptMs, valuesExpireAt, valuesKeptMs } from './extension/values-retention.ts'
export type { Withdrawn } from './extension/withdraw.ts'
export { settleExtension, withdrawWorker } from './extension/withdraw.ts'

// worker

export type { Capacity, Shortfall } from './worker/capacity.ts'
export { freeOf, giveBack, shortfall, take } from './worker/capacity.ts'
export type { Health } from './worker/health.ts'
export { healthOf } from './worker/health.ts'
export type { Lease, Presence } from './worker/lease.ts'
export {
  beatIntervalMs,
  disconnectLease,
  endLease,
  expireLease,
  graceMs,
  leaseExpiresAt,
  leaseMs,
  renewLease,
} from './worker/lease.ts'
export type { ResourceNeed, Resources } from './worker/resources.ts'
export { defaultNeed, parseNeed, resourceLimits, resourceNames } from './worker/resources.ts'
export type { Resumption } from './worker/resume.ts'
export { resumeAttempts } from './worker/resume.ts'
export type { Enrolment, Vitals, Worker, WorkerKind } from './worker/worker.ts'
export { drainWorker, enrolWorker, hearWorker, sendWorkerAway, undrainWorker } from './worker/worker.ts'

// room

export type { Caller, UserRole } from './room/caller.ts'
export type { RoomChanged, RoomEffect } from './room/members.ts'
export { maxMembers, removeMember, setMember } from './room/members.ts'
export type { RoomRight, Standing } from './room/rights.ts'
export { enterRoom, mayCancel, mayManage, mayRead, maySubmit, standingOf } from './room/rights.ts'
export type { Member, MemberRole, Room, RoomAccess, RoomSettings } from './room/room.ts'
export { createRoom, defaultRoomSettings } from './room/room.ts'
export { parseRoomName, reservedRoomNames } from './room/room-name.ts'
export type { RoomSettingsChange } from './room/settings.ts'
export { changeSettings, roomSettingLimits } from './room/settings.ts'

// user

export { passwordRefusal } from './user/password.ts'
export type { Identity, TokenClaims, TokenSurroundings } from './user/token.ts'
export { admitToken, poolTokenRefusal } from './user/token.ts'
export type { AccountChange, AccountDecision, AccountRole, NewAccount, User } from './user/user.ts'
export {
  administrationRefusal,
  changeAccount,
  changeRefusal,
  closeAccount,
  openAccount,
} from './user/user.ts'
export { guestName, isGuestName, parseUserName, poolUser, reservedUserNames } from './user/user-name.ts'

// rate

export type { Rate, RateBucket } from './rate/rate.ts'
export { rateLimits, registrationRate, reserve, spend } from './rate/rate.ts'
export type { Tries, TriesRule } from './rate/tries.ts'
export { beginTry, isSpent, succeedTry } from './rate/tries.ts'

// lock

export type { GuardedWrite } from './lock/check-write.ts'
export { writeRefusal } from './lock/check-write.ts'
export { expireLock, lockDueAt, lockGraceMs, releaseLock, sessionLost } from './lock/end-lock.ts'
export type { LockRequest } from './lock/hold-lock.ts'
export {
  acquireLock,
  lockMessageMaxLength,
  lockTtlLimit,
  refreshLock,
  setLockMessage,
} from './lock/hold-lock.ts'
export type { Lock, LockClaim, LockHolder } from './lock/lock.ts'
export { createLock, holderAt, maxLockTargets } from './lock/lock.ts'

// audit

export type { AuditAction } from './audit/audit-action.ts'
export { auditActions } from './audit/audit-action.ts'
export type { AuditDetail, AuditEntry, AuditOutcome, Deed } from './audit/audit-entry.ts'
export { auditEntry, endedEntry } from './audit/audit-entry.ts'
export type { AuditFilter } from './audit/audit-filter.ts'
export { meetsAuditFilter, trailRefusal } from './audit/audit-filter.ts'

// breaker

export type { Breaker, BreakerView, EndedOutcome } from './breaker/breaker.ts'
export {
  allows,
  closedBreaker,
  outcomeWeight,
  recordOutcome,
  resetBreaker,
  startProbe,
  viewBreaker,
} from './breaker/breaker.ts'
export type { BreakerSettings } from './breaker/breaker-settings.ts'
export { breakerSettingLimits, breakerSettings, defaultBreakerSettings } from './breaker/breaker-settings.ts'
export type { CountedOutcome, FailureCount, StandingBreaker } from './breaker/count-outcome.ts'
export {
  countOutcome,
  isBesideSuccess,
  isTelling,
  probeToken,
  untouchedBreaker,
} from './breaker/count-outcome.ts'

// placement

export { breakerGate } from './placement/breaker-gate.ts'
export type { FlowEdge, FlowNode } from './placement/draw-flow.ts'
export { drawFlow } from './placement/draw-flow.ts'
export { isShort, keepForShort } from './placement/keep-for-short.ts'
export type { Ahead } from './placement/look-ahead.ts'
export { isQuick, lookAhead } from './placement/look-ahead.ts'
export { place } from './placement/place.ts'
export type { Assignment, PlacementPlan, Waiting, WaitReason } from './placement/plan.ts'
export type { Pool, PoolGroups } from './placement/pools.ts'
export { groupPools } from './placement/pools.ts'
export type {
  BreakerGate,
  ClassDemand,
  ExtensionLimit,
  PlacementSnapshot,
  RoomDemand,
  WorkerSupply,
} from './placement/snapshot.ts'
export type { ChangedStarts, WhatIf } from './placement/what-if.ts'
export { whatIf } from './placement/what-if.ts'

// overview

export { isFailing, isSlow, isStuck } from './overview/trouble.ts'
