import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeEventFuzz } from './event-fuzz.ts'

describeEventFuzz('SQLite', sqliteOpener)
