import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './schema.ts'
import { Trimmer } from './trimmer.ts'

const hourMs = 3_600_000
const start = 100 * hourMs

describe('what the trimmer removes', () => {
  let db: DatabaseSync
  beforeEach(() => {
    db = new DatabaseSync(':memory:')
    migrate(db, 0)
    return () => db.close()
  })

  function write(...instants: number[]): void {
    for (const at of instants) {
      db.prepare(
        "INSERT INTO log (partition, revision, sequence, at, subjects, events) VALUES (1, 1, 1, ?, '', '')",
      ).run(at)
      db.prepare("INSERT INTO answered (id, at, answer) VALUES (hex(randomblob(16)), ?, '')").run(at)
    }
  }

  function kept(): { log: unknown[]; answers: unknown[] } {
    const column = (sql: string): unknown[] =>
      db
        .prepare(sql)
        .all()
        .map((row) => row['at'])
    return {
      log: column('SELECT at FROM log ORDER BY position'),
      answers: column('SELECT at FROM answered ORDER BY number'),
    }
  }

  it('[S47] old rows go from the front of the log and of the answers, and young ones stay', () => {
    const trimmer = new Trimmer(db)
    write(start, start + 1, start + hourMs)
    trimmer.trim(start + hourMs)
    expect(kept()).toEqual({ log: [start + hourMs], answers: [start + hourMs] })
  })

  it('[S47] rows that a clock set back made look old stay behind a young one, so that no hole appears', () => {
    const trimmer = new Trimmer(db)
    const instants = [start, start - hourMs, start - hourMs, start + 1]
    write(...instants)
    trimmer.trim(start + 2)
    expect(kept()).toEqual({ log: instants, answers: instants })
  })

  it('[S47] trimming goes on by the new time after the clock was set back', () => {
    const trimmer = new Trimmer(db)
    trimmer.trim(start + 50 * hourMs)
    write(start, start + hourMs)
    trimmer.trim(start + hourMs)
    expect(kept()).toEqual({ log: [start + hourMs], answers: [start + hourMs] })
  })
})
