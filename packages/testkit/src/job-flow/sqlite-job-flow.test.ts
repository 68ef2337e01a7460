import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeJobFlow } from './job-flow.ts'

describeJobFlow('SQLite', sqliteOpener)
