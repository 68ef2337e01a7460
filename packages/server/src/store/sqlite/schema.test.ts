import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { migrate } from './schema.ts'

describe('the steps to the tables', () => {
  it('[S51] steps that do not fit on the disk fail with that as the reason, and leave none behind', () => {
    const db = new DatabaseSync(':memory:')
    db.exec('PRAGMA max_page_count = 4')
    expect(() => migrate(db, 0)).toThrow('full')
    expect(db.isTransaction).toBe(false)
    expect(db.prepare('SELECT name FROM sqlite_master').all()).toEqual([])
    db.close()
  })
})
