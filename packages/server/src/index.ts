// What the server package offers to its own commands, to benches and to the testkit.

export { AuditKeeper } from './audit/audit-keeper.ts'
export { FailedSignIns } from './audit/failed-sign-ins.ts'
export type { Config, LogLevel } from './config/config.ts'
export { type ConfigProblem, type ConfigProblems, showProblems } from './config/config-problem.ts'
export {
  type ConfigHelp,
  type ConfigRow,
  describeConfig,
  type ReadConfig,
  readConfig,
} from './config/read-config.ts'
export { renderHelp } from './config/render-help.ts'
export { createArgon2Hasher } from './credential/argon2-hasher.ts'
export { Credentials, type IssuedToken } from './credential/credentials.ts'
export { expireCredentials } from './credential/expire-credentials.ts'
export { createJoseSigner } from './credential/jose-signer.ts'
export { createPoolToken } from './credential/pool-token.ts'
export { randomCodes } from './credential/random-codes.ts'
export { createRoomToken, revokeToken } from './credential/room-token.ts'
export {
  type AdmissionParts,
  admitUser,
  type DismissalParts,
  type Dismissed,
  dismissUser,
} from './extension/admit-user.ts'
export { type BreakerChange, Breakers } from './extension/breakers.ts'
export type { ExtensionDecision, ExtensionParts } from './extension/change-extension.ts'
export { type ExtensionPlace, extensionPlace } from './extension/extension-record.ts'
export { Extensions } from './extension/extensions.ts'
export {
  type ExtensionOffer,
  type RegisteredExtension,
  type RegistrationParts,
  registerExtension,
} from './extension/register-extension.ts'
export {
  getExtension,
  listExtensions,
  type SeenExtension,
  type SeenExtensionDetail,
} from './extension/view-extensions.ts'
export { settleExtension, withdrawWorker } from './extension/withdrawal.ts'
export { Elsewhere } from './feed/elsewhere.ts'
export { type FeedBatch, type FeedListener, FeedRelay } from './feed/feed-relay.ts'
export { Forgetter } from './feed/forgetter.ts'
export { ActiveJobs } from './job/active-jobs.ts'
export { type AttemptReport, reportAttempts } from './job/attempt-reports.ts'
export { cancelJob } from './job/cancel-job.ts'
export { type ClaimOrder, claimJobs } from './job/claim-jobs.ts'
export { jobOfRecord } from './job/job-record.ts'
export { type JobsPage, type JobsQuery, listJobs, lookAtMost } from './job/list-jobs.ts'
export { type JobWithResult, readJob } from './job/read-job.ts'
export { type JobReport, type Reported, reportJobs } from './job/report-jobs.ts'
export type { ReservedSlots } from './job/reserved-slots.ts'
export { type SubmitOptions, type Submitted, submitJobs } from './job/submit-jobs.ts'
export { submitToExtension } from './job/submit-to-extension.ts'
export { RateBook } from './limits/rate-book.ts'
export { HeldLocks } from './lock/held-locks.ts'
export { Bell, makeParts, surroundingsOf } from './make-parts.ts'
export { maskSecrets } from './mask-secrets.ts'
export { RecordMemory } from './memory/record-memory.ts'
export { Metrics } from './metrics/metrics.ts'
export { newId } from './new-id.ts'
export { nodeFlags } from './node-flags.ts'
export { pinoLog } from './pino-log.ts'
export { PlacementLoop } from './placement/placement-loop.ts'
export type { PasswordHasher } from './ports/password-hasher.ts'
export type {
  Announcement,
  Change,
  Claim,
  Claimed,
  Committed,
  DueRecord,
  Feed,
  FeedEvent,
  FeedItem,
  FeedPosition,
  ListQuery,
  Partition,
  PreparedAttempt,
  Put,
  QueueDepth,
  RecordKey,
  Stale,
  Store,
  StoreDescription,
  StoredRecord,
} from './ports/store.ts'
export { StoreFull, StoreUnavailable } from './ports/store-unavailable.ts'
export type { Validator } from './ports/validator.ts'
export { type ChangedRoom, changeRoom, type RoomParts } from './room/change-room.ts'
export { createRoom, type RoomRequest } from './room/create-room.ts'
export { listRooms, type RoomsPage } from './room/list-rooms.ts'
export { type RoleOfUser, removeMember, setMember } from './room/room-members.ts'
export { roomKey } from './room/room-record.ts'
export { openRoom, Rooms } from './room/rooms.ts'
export { runServer, type ServerRun, type ServerRunSetup } from './run-server.ts'
export type { ServerParts } from './server-parts.ts'
export { type RunningServer, type ServerLog, type ServerSetup, startServer } from './start-server.ts'
export { RedisUnfit } from './store/redis/redis-meta.ts'
export { openRedisStore, type RedisStoreOptions } from './store/redis/redis-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts'
export { NewerStoreFile, StoreFileInUse, StoreFileUnusable } from './store/sqlite/store-file-faults.ts'
export { askForBeats } from './upkeep/beats.ts'
export { dueJobs } from './upkeep/due-jobs.ts'
export { dueWorkers } from './upkeep/due-workers.ts'
export { removeExpired } from './upkeep/retention.ts'
export { Upkeep } from './upkeep/upkeep.ts'
export { changeUser } from './user/change-user.ts'
export type { UserParts } from './user/commit-account.ts'
export { createUser } from './user/create-user.ts'
export { ensureAdmin } from './user/ensure-admin.ts'
export { listUsers } from './user/list-users.ts'
export { createLoginCode, useLoginCode } from './user/login-code.ts'
export { removeUser } from './user/remove-user.ts'
export { signIn } from './user/sign-in.ts'
export { type UserMemory, userOfRecord } from './user/user-record.ts'
export { openAjvValidator, type ValidatorOptions } from './validation/ajv-validator.ts'
export { lastValues, storeValues } from './values/store-values.ts'
export { announceValues, putValues, type Values } from './values/values-record.ts'
export { workerAway } from './worker/lose-worker.ts'
export { registerWorker } from './worker/register-worker.ts'
export { type AttemptName, returnJobs } from './worker/resume-worker.ts'
export type { Channel, StopOrder } from './worker/roster.ts'
export { workerOfRecord } from './worker/worker-record.ts'
