import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeRoomFlow } from './room-flow.ts'

describeRoomFlow('SQLite', sqliteOpener)
