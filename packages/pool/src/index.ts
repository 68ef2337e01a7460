// Millrace's own workers.

export { type Pool, type PoolOptions, startPool } from './start-pool.ts'
