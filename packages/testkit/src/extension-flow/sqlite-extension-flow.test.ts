import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeExtensionFlow } from './extension-flow.ts'

describeExtensionFlow('SQLite', sqliteOpener)
