import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore, StoreFull } from '@millrace/server'
import { describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { change, jobKey } from '../store-contract/contract-scene.ts'

describe('the reserve of a disk', () => {
  it.each([
    ['more than is free', 2],
    ['less than is free', 0.5],
  ])('[S63] of %s: only what takes in something new depends on it', async (_what, share) => {
    const directory = await makeTempDir('reserve')
    const { bavail, bsize } = statfsSync(directory)
    const reserveBytes = Math.round(bavail * bsize * share)
    const store = await openSqliteStore({ file: join(directory, 'store.db'), reserveBytes })
    const old = change('room', { put: [{ key: jobKey(1), head: 'old' }] })
    expect(await store.commit(old)).toMatchObject({ outcome: 'committed' })
    const taken = store.commit({
      ...change('room', { put: [{ key: jobKey(2), head: 'new' }] }),
      takesIn: true,
    })
    if (share > 1) await expect(taken).rejects.toBeInstanceOf(StoreFull)
    else expect(await taken).toMatchObject({ outcome: 'committed' })
    const later = change('room', { put: [{ key: jobKey(1), head: 'done' }] })
    expect(await store.commit(later)).toMatchObject({ outcome: 'committed' })
    const left = share > 1 ? null : { head: 'new' }
    expect(await store.read('room', [jobKey(1), jobKey(2)])).toMatchObject([{ head: 'done' }, left])
    await store.close()
  })
})
