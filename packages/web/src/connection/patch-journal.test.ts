import { describe, expect, it } from 'vitest'
import { patchesById, patchRows } from '../job/job-pages.ts'
import type { JobPatch, JobRow } from '../job/job-row.ts'
import { sampleRow } from '../job/sample-row.ts'
import { PatchJournal } from './patch-journal.ts'

const patch = (id: string, status: JobPatch['status'], at: number): JobPatch => ({
  id,
  room: 'lab',
  status,
  at,
})
const catchUp = (rows: readonly JobRow[], heard: readonly JobPatch[]): readonly JobRow[] =>
  patchRows(rows, patchesById(heard))

describe('answers that events overtook', () => {
  it('[U39] are brought up to date with what was heard while they were on their way', async () => {
    const journal = new PatchJournal<JobPatch>(() => 0)
    const rows = await journal.during(async () => {
      journal.note([patch('a', 'assigned', 110), patch('a', 'running', 120)])
      return [sampleRow('a'), sampleRow('b')]
    }, catchUp)
    expect(rows.map(({ status }) => status)).toEqual(['running', 'pending'])
  })

  it('[U39] are not taken back by what they know already', async () => {
    const journal = new PatchJournal<JobPatch>(() => 0)
    journal.note([patch('a', 'running', 120)])
    const done = sampleRow('a', { status: 'completed', assignedAt: 110, startedAt: 120, endedAt: 130 })
    expect(await journal.during(async () => [done], catchUp)).toEqual([done])
  })

  it('[U39] what was heard long before a fetch began is forgotten, and what a slow one needs is kept', async () => {
    let now = 0
    const journal = new PatchJournal<JobPatch>(() => now)
    journal.note([patch('a', 'running', 120)])
    now = 6_000
    const slow = journal.during(async () => {
      journal.note([patch('b', 'running', 120)])
      now = 60_000
      journal.note([patch('c', 'running', 120)])
      return [sampleRow('a'), sampleRow('b'), sampleRow('c')]
    }, catchUp)
    expect((await slow).map(({ status }) => status)).toEqual(['pending', 'running', 'running'])
  })
})
