// Opens the file with the settings the promise rests on, and makes sure that one process owns it: the writer keeps
// revisions and depths in memory, so a second writer on the same file would hand out the same numbers again.

import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileVersion, migrate, NewerStoreFile, schemaVersion } from './schema.ts'

// Records arrive and change in runs; larger pages write a run with a quarter of the system calls.
const pageBytes = 16_384
// Checkpoints copy the log into the file with two more syncs; every 16 MB keeps them rare and the log small.
const checkpointPages = 1000
const cacheKiB = 65_536

class StoreFileInUse extends Error {
  override readonly name = 'StoreFileInUse'
  constructor(file: string, cause: unknown) {
    super(`${file} is in use by another Millrace server. Stop that one, or give this one another file.`, {
      cause,
    })
  }
}

/** Held for the life of the process by an operating-system lock, so it is free again after kill -9. */
export function ownFile(file: string): DatabaseSync {
  const owner = new DatabaseSync(`${file}.owner`)
  try {
    owner.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return owner
  } catch (cause) {
    owner.close()
    throw new StoreFileInUse(file, cause)
  }
}

export function openForWriting(file: string, at: number): DatabaseSync {
  refuseNewer(file)
  const db = new DatabaseSync(file)
  db.exec(`
    PRAGMA page_size = ${pageBytes};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA cache_size = -${cacheKiB};
    PRAGMA temp_store = MEMORY;
  `)
  migrate(db, at)
  return db
}

export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true })
  db.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`)
  return db
}

// Read-only, so that not even a journal mode is written into a file this version does not understand.
function refuseNewer(file: string): void {
  if (!existsSync(file)) return
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const found = fileVersion(db)
    if (found > schemaVersion) throw new NewerStoreFile(file, found)
  } finally {
    db.close()
  }
}
