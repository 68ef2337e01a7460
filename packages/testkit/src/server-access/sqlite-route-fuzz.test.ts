import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeRouteFuzz } from './route-fuzz.ts'

describeRouteFuzz('SQLite', sqliteOpener)
