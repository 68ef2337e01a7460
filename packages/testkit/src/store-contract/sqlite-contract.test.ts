import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from '@millrace/server'
import { makeTempDir } from '../process/temp-dir.ts'
import { describeStoreContract } from './store-contract.ts'

describeStoreContract('SQLite', async (options) => {
  const directory = await makeTempDir('sqlite-contract')
  const file = join(directory, 'store.sqlite')
  const opened = [await openSqliteStore({ file, ...options })]
  return {
    store: opened[0] as (typeof opened)[number],
    reopen: async () => {
      const again = await openSqliteStore({ file, ...options })
      opened.push(again)
      return again
    },
    close: async () => {
      for (const store of opened) await store.close()
      await rm(directory, { recursive: true })
    },
  }
})
