import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { readStatements } from './reader.ts'
import { migrate } from './schema.ts'

function planOf(sql: string): string[] {
  const db = new DatabaseSync(':memory:')
  migrate(db, 0)
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  db.close()
  return rows.map((row) => String(row['detail']))
}

/** Steps that walk a table or a whole index instead of looking rows up; those over a few rows already found are none. */
function scans(sql: string): string[] {
  return planOf(sql).filter((step) => /^SCAN /.test(step) && !/^SCAN \(subquery|SUBQUERY/.test(step))
}

describe('what a read of one room costs', () => {
  const ofOneRoom = [
    'record',
    'listsInside',
    'oldest',
    'newest',
    'oldestKeys',
    'newestKeys',
    'queuesInside',
    'counters',
  ]
  it.each(ofOneRoom)('[S32] %s finds its rows by index and passes none of another room', (name) => {
    const sql = readStatements[name]
    expect(sql).toBeDefined()
    expect(scans(sql ?? '')).toEqual([])
  })

  it('[S32] the check sees a scan where there is one', () => {
    expect(scans('SELECT * FROM record WHERE head = ?')).toEqual(['SCAN record'])
  })

  it('[S22] what is due is found by its instant, however many records there are', () => {
    expect(scans(readStatements['due'] ?? '')).toEqual([])
  })

  it('[S15] queues of all rooms are found among those that wait, not among all lists', () => {
    expect(planOf(readStatements['queues'] ?? '').join('\n')).toContain('list_waiting')
  })

  it.each(['oldestHeads', 'newestHeads'])(
    '[G14] %s of a page across rooms looks up one key of each list, in each of its columns',
    (name) => {
      const plan = planOf(readStatements[name] ?? '')
      expect(
        plan.filter((step) => /^SEARCH r USING COVERING INDEX record_list_[a-d]/.test(step)),
      ).toHaveLength(4)
      expect(plan.join('\n')).toContain('list_wide')
      // The first keys themselves, once they are found.
      expect(scans(readStatements[name] ?? '')).toEqual(['SCAN first'])
    },
  )
})
