// What the server package offers to its own commands, to benches and to the testkit.

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
export { openSqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts'
export { openRedisStore, type RedisStoreOptions } from './store/redis/redis-store.ts'
