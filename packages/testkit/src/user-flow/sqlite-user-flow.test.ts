import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeUserFlow } from './user-flow.ts'

describeUserFlow('SQLite', sqliteOpener)
