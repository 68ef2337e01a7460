import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeHiddenRoom } from './hidden-room.ts'

describeHiddenRoom('SQLite', sqliteOpener)
