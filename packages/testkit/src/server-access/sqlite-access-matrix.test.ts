import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { describeAccessMatrix } from './access-matrix.ts'

describeAccessMatrix('SQLite', sqliteOpener)
