import { sqliteOpener } from './sqlite-opener.ts'
import { describeStoreContract } from './store-contract.ts'

describeStoreContract('SQLite', sqliteOpener)
