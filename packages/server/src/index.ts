// What the server package offers to its own commands, to benches and to the testkit.

export { createArgon2Hasher } from './credential/argon2-hasher.ts'
export { Credentials, type IssuedToken } from './credential/credentials.ts'
export { expireCredentials } from './credential/expire-credentials.ts'
export { createJoseSigner } from './credential/jose-signer.ts'
export { randomCodes } from './credential/random-codes.ts'
export { createRoomToken, revokeToken } from './credential/room-token.ts'
export { ActiveJobs } from './job/active-jobs.ts'
export { type ClaimOrder, claimJobs } from './job/claim-jobs.ts'
export { type JobsPage, type JobsQuery, listJobs, lookAtMost } from './job/list-jobs.ts'
export { type JobReport, type Reported, reportJobs } from './job/report-jobs.ts'
export { type Submitted, submitJobs } from './job/submit-jobs.ts'
export { RecordMemory } from './memory/record-memory.ts'
export { newId } from './new-id.ts'
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
export { StoreUnavailable } from './ports/store-unavailable.ts'
export { RedisUnfit } from './store/redis/redis-meta.ts'
export { openRedisStore, type RedisStoreOptions } from './store/redis/redis-store.ts'
export { openSqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts'
export { NewerStoreFile, StoreFileInUse, StoreFileUnusable } from './store/sqlite/store-file-faults.ts'
export { changeUser } from './user/change-user.ts'
export type { UserParts } from './user/commit-account.ts'
export { createUser } from './user/create-user.ts'
export { ensureAdmin } from './user/ensure-admin.ts'
export { listUsers } from './user/list-users.ts'
export { createLoginCode, useLoginCode } from './user/login-code.ts'
export { removeUser } from './user/remove-user.ts'
export { signIn } from './user/sign-in.ts'
export { type UserMemory, userOfRecord } from './user/user-record.ts'
export { createLoginCode } from './user/login-code.ts'
