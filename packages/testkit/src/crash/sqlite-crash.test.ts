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
    timeout: 300_000,
  }, async () => {
    const file = join(await makeTempDir('crash'), 'store.sqlite')
    const acknowledged = noneAcknowledged()
    for (let round = 0; round < kills; round++) {
      const committer = startCommitter({ kind: 'sqlite', file })
      await committer.count(linesBeforeKill())
      await committer.kill()
      acknowledge(acknowledged, committer.lines)
    }
    const store = await openSqliteStore({ file })
    const found = await expectAllKept(store, acknowledged)
    await store.close()
    expect(eventsIn(file).toSorted()).toEqual([...found.values()].flat().toSorted())
  })
})

// A feed begins anew with each opening, so the log itself is asked which events it holds.
function eventsIn(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('SELECT events FROM log ORDER BY position').all()
  db.close()
  return rows.flatMap(({ events }) => String(events).split('\n'))
}
