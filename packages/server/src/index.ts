// What the server package offers to its own commands, to benches and to the testkit.

export { ActiveJobs } from './job/active-jobs.ts'
export { type ClaimOrder, claimJobs } from './job/claim-jobs.ts'
export { type JobsPage, type JobsQuery, listJobs, lookAtMost } from './job/list-jobs.ts'
export { type JobReport, type Reported, reportJobs } from './job/report-jobs.ts'
export { type Submitted, submitJobs } from './job/submit-jobs.ts'
export { newId } from './new-id.ts'
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
