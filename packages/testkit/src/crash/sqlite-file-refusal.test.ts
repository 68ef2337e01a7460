import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { openSqliteStore, StoreFileInUse, StoreFileUnusable } from '@millrace/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { startChild } from '../process/child-process.ts'
import { makeTempDir } from '../process/temp-dir.ts'

const committer = fileURLToPath(new URL('./committer.ts', import.meta.url))

describe('a file the embedded store does not take', () => {
  let directory: string
  let file: string
  beforeEach(async () => {
    directory = await makeTempDir('sqlite-refusal')
    file = join(directory, 'store.sqlite')
  })

  const beside = (): Promise<string[]> => readdir(directory)

  it.each(['delete', 'wal'])(
    '[S50] a database of another program in journal mode %s is refused, and not a byte of it changes',
    async (mode) => {
      const db = new DatabaseSync(file)
      db.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)`)
      db.close()
      const before = await digest(file)
      const fault = await refusalOf(file)
      expect(fault).toBeInstanceOf(StoreFileUnusable)
      expect(fault.message).toContain('another program')
      expect(await digest(file)).toBe(before)
      expect(await beside()).toEqual(['store.sqlite'])
    },
  )

  it('[S50] a database without tables that another program marked as its own is refused', async () => {
    const db = new DatabaseSync(file)
    db.exec('PRAGMA application_id = 7')
    db.close()
    expect(await refusalOf(file)).toBeInstanceOf(StoreFileUnusable)
  })

  it('[S50] an empty file is taken for a new store, and for the same one later', async () => {
    await writeFile(file, '')
    for (const revision of [1, 2]) {
      const store = await openSqliteStore({ file })
      expect(await store.commit({ id: `change-${revision}`, partition: 'room' })).toMatchObject({ revision })
      await store.close()
    }
  })

  it('[S51] a file that is no database is refused with path and reason, and stays as it is', async () => {
    const text = 'not a database\n'.repeat(400)
    await writeFile(file, text)
    await expectUnusable(file, file, 'not a database')
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await beside()).toEqual(['store.sqlite'])
  })

  it('[S51] a directory in the place of the file is refused', async () => {
    await mkdir(file)
    await expectUnusable(file, file, 'a directory')
    expect(await beside()).toEqual(['store.sqlite'])
  })

  it('[S51] a file in a directory that does not exist is refused, and the directory named', async () => {
    const missing = join(directory, 'missing')
    await expectUnusable(join(missing, 'store.sqlite'), missing, 'Create it')
    expect(await beside()).toEqual([])
  })

  it('[S51] links that lead round in a circle are refused', async () => {
    await symlink(file, `${file}-2`)
    await symlink(`${file}-2`, file)
    await expectUnusable(file, file, 'circle')
  })

  it.each(['', ':memory:'])('[S51] %j is refused, and nothing is created under that name', async (name) => {
    const before = await readdir('.')
    await expectUnusable(name, `'${name}'`, 'path of a file')
    expect(await readdir('.')).toEqual(before)
  })

  // A place in which nobody can create a file, whoever runs this.
  it.skipIf(process.platform !== 'linux')('[S51] a place that cannot be written is refused', async () => {
    await expectUnusable('/proc/store.sqlite', '/proc/store.sqlite', 'write')
  })

  it('[S51] a store that cannot be written is refused when it is opened, not with the first change', async () => {
    await makeStore(file)
    const bytes = await readFile(file)
    // A format that SQLite reads and does not write; it is read-only for every user, the administrator included.
    bytes[18] = 3
    await writeFile(file, bytes)
    await expectUnusable(file, file, 'readonly')
  })

  it.skipIf(process.platform === 'win32')(
    '[S51] a file that finds no room when it is made is refused with the cause, and nothing is left of it',
    async () => {
      const target = JSON.stringify({ kind: 'sqlite', file })
      // A shell's limit of 64 blocks stands for a disk without space: the tables need more.
      const limited = [
        '-c',
        'ulimit -f 64; exec "$0" "$@"',
        process.execPath,
        '--no-warnings',
        committer,
        target,
      ]
      const child = startChild('sh', limited)
      await child.ended
      const said = child.lines.find((line) => line.includes('StoreFileUnusable'))
      expect(said).toMatch(/disk|full/)
      expect(said).toContain(file)
      expect(await beside()).toEqual([])
    },
  )

  it('[S51] a damaged owner mark is named as what it is, not taken for an owner', async () => {
    await writeFile(`${file}.owner`, 'x'.repeat(5000))
    await expectUnusable(file, `${file}.owner`, 'remove it')
    expect(await beside()).toEqual(['store.sqlite.owner'])
    await rm(`${file}.owner`)
    await (await openSqliteStore({ file })).close()
  })

  it('[S46] a file in use is refused under every link to it or to its directory', async () => {
    const links = await makeTempDir('sqlite-links')
    await symlink(file, join(links, 'absolute'))
    await symlink(join(relative(links, directory), 'store.sqlite'), join(links, 'relative'))
    await symlink(directory, join(links, 'directory'))
    // Opened through a link whose end does not exist yet.
    const store = await openSqliteStore({ file: join(links, 'absolute') })
    const names = [
      file,
      join(links, 'absolute'),
      join(links, 'relative'),
      join(links, 'directory', 'store.sqlite'),
    ]
    for (const name of names) expect(await refusalOf(name)).toBeInstanceOf(StoreFileInUse)
    await store.close()
  })
})

/** A store that is whole in its one file. */
async function makeStore(file: string): Promise<void> {
  await (await openSqliteStore({ file })).close()
  const db = new DatabaseSync(file)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

async function expectUnusable(file: string, ...words: string[]): Promise<void> {
  const fault = await refusalOf(file)
  expect(fault).toBeInstanceOf(StoreFileUnusable)
  for (const word of words) expect(fault.message).toContain(word)
}

async function refusalOf(file: string): Promise<Error> {
  const store = await openSqliteStore({ file }).catch((fault: Error) => fault)
  if (store instanceof Error) return store
  await store.close()
  return new Error('it was opened')
}

async function digest(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
