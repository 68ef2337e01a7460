import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeWorkerReach } from './worker-reach.ts'

describeWorkerReach('SQLite', sqliteOpener)
