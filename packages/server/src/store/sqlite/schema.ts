// The tables of the embedded store and the steps that lead to them. A step, once released, is never changed.
// A record carries its places (four lists, a queue, an instant) in columns with an index each, so that one statement
// moves it: an entry row per place cost twice the time for the same pages.

import type { DatabaseSync } from 'node:sqlite'

/** What `list.kind` holds. A wide list is one per partition like the others; questions across partitions merge them. */
export const listKinds = { list: 0, wide: 1, queue: 2 } as const

/** Both threads ask it: the reader of settled tables, the writer beside what they lack. */
export const dueStatement = `SELECT r.due_at, p.name, r.key FROM record r JOIN partition p ON p.id = r.partition
    WHERE r.due_at <= ? ORDER BY r.due_at, r.partition, r.key LIMIT ?`

/** Of record `r`: a long one stands apart, so that a transition does not rewrite it. */
export const bodyColumn = 'coalesce(r.body, (SELECT body FROM long_body WHERE record = r.id))'

const steps: readonly string[] = [
  `
  CREATE TABLE partition (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, sequence INTEGER NOT NULL
  );
  CREATE TABLE list (
    id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
    depth INTEGER NOT NULL, UNIQUE (partition, kind, name)
  );
  CREATE INDEX list_wide ON list (name) WHERE kind = 1;
  CREATE INDEX list_waiting ON list (partition, name) WHERE kind = 2 AND depth > 0;
  CREATE TABLE record (
    id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,
    due_at INTEGER, queue INTEGER, score INTEGER, list_a INTEGER, list_b INTEGER, list_c INTEGER, list_d INTEGER,
    attempt TEXT, head TEXT NOT NULL, body TEXT,
    UNIQUE (partition, key)
  );
  CREATE INDEX record_due ON record (due_at, partition, key) WHERE due_at IS NOT NULL;
  CREATE INDEX record_queue ON record (queue, score, key) WHERE queue IS NOT NULL;
  CREATE INDEX record_list_a ON record (list_a, key) WHERE list_a IS NOT NULL;
  CREATE INDEX record_list_b ON record (list_b, key) WHERE list_b IS NOT NULL;
  CREATE INDEX record_list_c ON record (list_c, key) WHERE list_c IS NOT NULL;
  CREATE INDEX record_list_d ON record (list_d, key) WHERE list_d IS NOT NULL;
  CREATE TABLE long_body (record INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE counter (
    partition INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (partition, name)
  ) WITHOUT ROWID;
  CREATE TABLE log (
    position INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, revision INTEGER NOT NULL,
    sequence INTEGER NOT NULL, at INTEGER NOT NULL, subjects TEXT NOT NULL, events TEXT NOT NULL
  );
  CREATE TABLE answered (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, answer TEXT NOT NULL);
  CREATE TABLE journal (settled INTEGER NOT NULL, salt INTEGER NOT NULL);
  INSERT INTO journal VALUES (0, abs(random() % 4294967296));
  `,
]

export const schemaVersion: number = steps.length

/** Stands in the header of every file of ours ("Mill"), so that no other program's database is taken for one. */
export const applicationId = 0x4d696c6c

/** The version a file says it has; a file without the version table has none yet. */
export function fileVersion(db: DatabaseSync): number {
  const table = db
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'store_version'")
    .get()
  if (!table) return 0
  return Number(db.prepare('SELECT max(version) AS version FROM store_version').get()?.['version'] ?? 0)
}

/** Writes even where no step is missing, so that a file that cannot be written is found out now. */
export function migrate(db: DatabaseSync, at: number): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec(`PRAGMA application_id = ${applicationId}`)
    db.exec('CREATE TABLE IF NOT EXISTS store_version (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)')
    for (let version = fileVersion(db) + 1; version <= schemaVersion; version++) {
      db.exec(steps[version - 1] ?? '')
      db.prepare('INSERT INTO store_version (version, at) VALUES (?, ?)').run(version, at)
    }
    db.exec('COMMIT')
  } catch (fault) {
    // A full disk may have rolled back already; a second attempt would hide why.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw fault
  }
}
