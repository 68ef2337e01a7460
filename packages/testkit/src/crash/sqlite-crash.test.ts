import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@millrace/server'
import { describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import {
  acknowledge,
  expectAllKept,
  linesBeforeKill,
  noneAcknowledged,
  startCommitter,
} from './acknowledged.ts'

const kills = 50

describe('SQLite and kill -9', () => {
  it(`[S38] what was answered is there with its event, once, after ${kills} kills of the writing process`, {
    timeout: 120_000,
  }, async () => {
    const file = join(await makeTempDir('crash'), 'store.sqlite')
    const acknowledged = noneAcknowledged()
    for (let round = 0; round < kills; round++) {
      const committer = startCommitter({ kind: 'sqlite', file })
      await committer.count(linesBeforeKill(round))
      await committer.kill()
      acknowledge(acknowledged, committer.lines)
    }
    const store = await openSqliteStore({ file })
    const found = await expectAllKept(store, acknowledged)
    await store.close()
    expect(eventsIn(file).toSorted()).toEqual([...found.values()].flat().toSorted())
  })
})

describe('SQLite and files of other versions', () => {
  it('[S41] a file of a newer version is refused with both versions named, and no byte of it changes', async () => {
    const file = join(await makeTempDir('newer'), 'store.sqlite')
    const store = await openSqliteStore({ file })
    await store.commit({ id: 'one', partition: 'room', put: [{ key: 'job/1', head: 'h' }] })
    await store.close()
    const known = raiseVersion(file, 999)
    const before = await digest(file)
    const refusal = await openSqliteStore({ file }).then(
      () => new Error('it was opened'),
      (fault: Error) => fault,
    )
    expect(refusal.message).toMatch(/\b999\b/)
    expect(refusal.message).toMatch(new RegExp(`\\b${known}\\b`))
    expect(await digest(file)).toBe(before)
  })
})

// A feed begins anew with each opening, so the log itself is asked which events it holds.
function eventsIn(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('SELECT events FROM log ORDER BY position').all()
  db.close()
  return rows.flatMap(({ events }) => String(events).split('\n'))
}

/** Answers the version the file had. */
function raiseVersion(file: string, version: number): number {
  const db = new DatabaseSync(file)
  const had = Number(db.prepare('SELECT max(version) AS version FROM store_version').get()?.version)
  db.prepare('INSERT INTO store_version (version, at) VALUES (?, 0)').run(version)
  db.close()
  return had
}

async function digest(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
