import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describePoolFlow } from './pool-flow.ts'

describePoolFlow('SQLite', sqliteOpener)
