// Opens an empty embedded store in a directory of its own.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore, type Store } from '@millrace/server'
import { makeTempDir } from '../process/temp-dir.ts'
import type { OpenedStore, OpenOptions } from './contract-scene.ts'

export async function sqliteOpener(options: OpenOptions): Promise<OpenedStore> {
  const directory = await makeTempDir('sqlite-contract')
  const open = (): Promise<Store> => openSqliteStore({ file: join(directory, 'store.sqlite'), ...options })
  const store = await open()
  const opened = [store]
  return {
    store,
    reopen: async () => {
      const again = await open()
      opened.push(again)
      return again
    },
    close: async () => {
      for (const each of opened) await each.close()
      await rm(directory, { recursive: true })
    },
  }
}
