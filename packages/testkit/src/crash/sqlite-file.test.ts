import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { NewerStoreFile, openSqliteStore } from '@millrace/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { startCommitter } from './acknowledged.ts'

describe('the file of the embedded store', () => {
  let file: string
  beforeEach(async () => {
    file = join(await makeTempDir('sqlite-file'), 'store.sqlite')
  })

  it('[S41] a file of a newer version is refused with both versions named, and no byte of it changes', async () => {
    const store = await openSqliteStore({ file })
    await store.commit({ id: 'one', partition: 'room', put: [{ key: 'job/1', head: 'h' }] })
    await store.close()
    const known = raiseVersion(file, 999)
    const before = await digest(file)
    await expect(openSqliteStore({ file })).rejects.toBeInstanceOf(NewerStoreFile)
    const refusal = await refusalOf(file)
    expect(refusal).toMatch(/\b999\b/)
    expect(refusal).toMatch(new RegExp(`\\b${known}\\b`))
    expect(await digest(file)).toBe(before)
  })

  it('[S34] a file whose store was closed is whole by itself: no log is left beside it', async () => {
    const store = await openSqliteStore({ file })
    await store.commit({ id: 'one', partition: 'room', put: [{ key: 'job/1', head: 'h' }] })
    await store.close()
    const copy = `${file}.copy`
    await copyFile(file, copy)
    const again = await openSqliteStore({ file: copy })
    expect(await again.read('room', ['job/1'])).toMatchObject([{ head: 'h' }])
    await again.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  it('[S46] a file that another process has open is refused by name, and free once that process is killed', async () => {
    const owner = startCommitter({ kind: 'sqlite', file })
    await owner.count(1)
    expect(await refusalOf(file)).toContain(file)
    await owner.kill()
    const store = await openSqliteStore({ file })
    expect(await store.counters('room-a')).toMatchObject({ made: expect.any(Number) })
    await store.close()
  })

  it('[S46] a file that this process has open already is refused, and the first opening is not harmed', async () => {
    const store = await openSqliteStore({ file })
    expect(await refusalOf(file)).toContain(file)
    const answer = await store.commit({ id: 'one', partition: 'room', put: [{ key: 'job/1', head: 'h' }] })
    expect(answer).toMatchObject({ outcome: 'committed' })
    await store.close()
  })
})

async function refusalOf(file: string): Promise<string> {
  return openSqliteStore({ file }).then(
    async (store) => {
      await store.close()
      return 'it was opened'
    },
    (fault: Error) => fault.message,
  )
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
