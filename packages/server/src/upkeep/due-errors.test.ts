import { makeTempDir } from '@millrace/testkit'
import { expect, it } from 'vitest'
import { type ErrorTally, errorKey, keptUntil, putError } from '../error/error-record.ts'
import { newId } from '../new-id.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import { dueErrors } from './due-errors.ts'

const room = 'lab'

it('[G7] an error that was met again after it was listed as due stays, and one that was not goes', async () => {
  const store = await openSqliteStore({ file: `${await makeTempDir('due-errors')}/store.db` })
  const [old, renewed] = [errorKey('old', '1'), errorKey('renewed', '1')]
  const write = (key: string, tally: ErrorTally) =>
    store.commit({ id: newId(store.now()), partition: room, put: [putError(key, tally)] })
  const listed = [old, renewed].map((key) => ({ partition: room, key, dueAt: keptUntil(metAt(0)) }))
  for (const key of [old, renewed]) await write(key, metAt(0))
  await write(renewed, metAt(store.now()))
  await dueErrors(store, listed)
  expect((await store.read(room, [old, renewed])).map((record) => record?.key)).toEqual([undefined, renewed])
  await store.close()
})

function metAt(lastAt: number): ErrorTally {
  return {
    fingerprint: 'f',
    scope: 'room',
    category: 'modifiers',
    extension: 'Relax',
    name: null,
    pattern: 'no memory',
    place: null,
    count: 1,
    firstAt: 0,
    lastAt,
    job: 'j',
    message: 'no memory',
  }
}
