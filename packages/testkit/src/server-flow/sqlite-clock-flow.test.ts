import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeClockFlow } from './clock-flow.ts'

describeClockFlow('SQLite', sqliteOpener)
