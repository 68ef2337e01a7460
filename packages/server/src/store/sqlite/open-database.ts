// Opens the file with the settings the promise rests on, and makes sure that one process owns it: the writer keeps
// revisions and depths in memory, so a second writer on the same file would hand out the same numbers again.
// A file that cannot be used is refused here, and what was created on the way to that is removed.

import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Journal } from './journal.ts'
import { applicationId, fileVersion, migrate, schemaVersion } from './schema.ts'
import {
  NewerStoreFile,
  StoreFileInUse,
  StoreFileUnusable,
  sqliteCode,
  sqliteCodes,
  unusable,
} from './store-file-faults.ts'
import { findPlace } from './store-place.ts'

// Records arrive and change in runs; larger pages write a run with a quarter of the system calls.
const pageBytes = 16_384
// The log is copied into the file by a thread of its own (table-log.ts); from here on, 256 MB, by the writer itself,
// because that thread could not keep up.
const checkpointPages = 16_000
const cacheKiB = 65_536

export interface OwnedDatabase {
  readonly db: DatabaseSync
  readonly journal: Journal
  readonly place: string
  close(): void
}

export function openForWriting(file: string, at: number): OwnedDatabase {
  const place = findPlace(file)
  const mark = `${place}.owner`
  refuseForeign(file, place)
  const newMark = !existsSync(mark)
  const owner = own(file, mark)
  // Asked only now: before, another owner might still have made it.
  const newFile = !existsSync(place)
  try {
    const db = openAndMigrate(place, at)
    const journal = openJournal(db, place)
    const close = (): void => {
      db.close()
      journal.close()
      owner.close()
    }
    return { db, journal, place, close }
  } catch (cause) {
    if (newFile) for (const end of ['', '-wal', '-shm']) rmSync(place + end, { force: true })
    if (newFile && newMark) rmSync(mark, { force: true })
    owner.close()
    throw unusable(file, cause)
  }
}

export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(findPlace(file), { readOnly: true })
  db.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`)
  return db
}

/** Held for the life of the process by an operating-system lock, so it is free again after kill -9. */
function own(file: string, mark: string): DatabaseSync {
  let owner: DatabaseSync | null = null
  try {
    owner = new DatabaseSync(mark)
    owner.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return owner
  } catch (cause) {
    owner?.close()
    if (sqliteCode(cause) !== sqliteCodes.busy) throw unownable(file, mark, cause)
    const advice = 'Stop that one, or give this one another file.'
    throw new StoreFileInUse(`${file} is in use by another Millrace server. ${advice}`, { cause })
  }
}

function unownable(file: string, mark: string, cause: unknown): StoreFileUnusable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice = 'It holds no data: remove it if it is there, and let this user write its directory.'
  return new StoreFileUnusable(`${file} cannot be owned by means of ${mark}: ${reason}. ${advice}`, { cause })
}

// NORMAL is what a settle runs with: it does not wait for its log to be synced, because the journal holds everything in
// it until it is. Whoever is answered waits for a sync of the journal, which is what FULL would have given him.
function openAndMigrate(place: string, at: number): DatabaseSync {
  const db = new DatabaseSync(place)
  try {
    db.exec(`
      PRAGMA page_size = ${pageBytes};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA cache_size = -${cacheKiB};
      PRAGMA temp_store = MEMORY;
    `)
    migrate(db, at)
    db.exec('PRAGMA synchronous = NORMAL')
    return db
  } catch (fault) {
    db.close()
    throw fault
  }
}

function openJournal(db: DatabaseSync, place: string): Journal {
  try {
    return new Journal(`${place}.journal`, Number(db.prepare('SELECT salt FROM journal').get()?.['salt']))
  } catch (fault) {
    db.close()
    throw fault
  }
}

function refuseForeign(file: string, place: string): void {
  if (!existsSync(place)) return
  try {
    const db = openUntouched(place)
    try {
      checkMaker(file, db)
    } finally {
      db.close()
    }
  } catch (cause) {
    throw unusable(file, cause)
  }
}

// Not even a journal mode is written into a file this version does not understand. Without a log beside it the file
// is whole in itself; saying so keeps SQLite from creating one.
function openUntouched(place: string): DatabaseSync {
  if (existsSync(`${place}-wal`)) return new DatabaseSync(place, { readOnly: true })
  const url = pathToFileURL(place)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

function checkMaker(file: string, db: DatabaseSync): void {
  const maker = Number(db.prepare('PRAGMA application_id').get()?.['application_id'])
  const empty = !db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get()
  if (maker === 0 && empty) return
  if (maker !== applicationId) {
    throw new StoreFileUnusable(
      `${file} is a database of another program. It was not touched. Give this server another file.`,
    )
  }
  const found = fileVersion(db)
  if (found <= schemaVersion) return
  throw new NewerStoreFile(
    `${file} was written by a newer Millrace (store version ${found}, this one knows ${schemaVersion}). ` +
      'It was not touched. Run the newer version, or give this one another file.',
  )
}
