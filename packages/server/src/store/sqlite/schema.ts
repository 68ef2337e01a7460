// The tables of the embedded store and the steps that lead to them. A step, once released, is never changed.
// Every order the store keeps (lists, queues, what is due) is a row in `entry`: (list, sort, key).

import type { DatabaseSync } from 'node:sqlite'

/** What `list.kind` holds: an ordinary list, a queue, or the one list of what is due. */
export const listKinds = { list: 0, queue: 1, due: 2 } as const

/** `list.partition` of lists kept across partitions. */
export const everywhere = 0

const steps: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE partition (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, sequence INTEGER NOT NULL
  );
  CREATE TABLE list (
    id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
    depth INTEGER NOT NULL, UNIQUE (partition, kind, name)
  );
  CREATE INDEX list_waiting ON list (kind, partition, name) WHERE kind = 1 AND depth > 0;
  CREATE TABLE entry (
    list INTEGER NOT NULL, sort INTEGER NOT NULL, key TEXT NOT NULL, record INTEGER NOT NULL,
    PRIMARY KEY (list, sort, key)
  ) WITHOUT ROWID;
  CREATE TABLE record (
    id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,
    due_at INTEGER, queue INTEGER, score INTEGER, lists TEXT NOT NULL, attempt TEXT, head TEXT NOT NULL,
    UNIQUE (partition, key)
  );
  CREATE TABLE body (record INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE counter (
    partition INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (partition, name)
  ) WITHOUT ROWID;
  CREATE TABLE log (
    position INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, revision INTEGER NOT NULL,
    sequence INTEGER NOT NULL, at INTEGER NOT NULL, subjects TEXT NOT NULL, events TEXT NOT NULL
  );
  CREATE TABLE answered (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, answer TEXT NOT NULL);
  INSERT INTO list (id, partition, kind, name, depth) VALUES (1, ${everywhere}, ${listKinds.due}, 'due', 0);
  `,
]

/** The id of the list of what is due, fixed by the first step. */
export const dueList = 1

export const schemaVersion: number = steps.length

export class NewerStoreFile extends Error {
  override readonly name = 'NewerStoreFile'
  constructor(file: string, found: number) {
    super(
      `${file} was written by a newer Millrace (store version ${found}, this one knows ${schemaVersion}). ` +
        'It was not touched. Run the newer version, or give this one another file.',
    )
  }
}

/** The version a file says it has; a file without the version table has none yet. */
export function fileVersion(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'store_version'").get()
  if (!table) return 0
  return Number(db.prepare('SELECT max(version) AS version FROM store_version').get()?.['version'] ?? 0)
}

export function migrate(db: DatabaseSync, at: number): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec('CREATE TABLE IF NOT EXISTS store_version (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)')
    for (let version = fileVersion(db) + 1; version <= schemaVersion; version++) {
      db.exec(steps[version - 1] ?? '')
      db.prepare('INSERT INTO store_version (version, at) VALUES (?, ?)').run(version, at)
    }
    db.exec('COMMIT')
  } catch (fault) {
    db.exec('ROLLBACK')
    throw fault
  }
}
