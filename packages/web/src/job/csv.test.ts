import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'
import type { JobRow } from './job-row.ts'

const row: JobRow = {
  id: 'a',
  room: 'lab',
  category: 'analysis',
  extension: 'Pi, "the" one',
  submitter: 'ada',
  status: 'failed',
  createdAt: 0,
  error: { message: '=HYPERLINK("x")\nmore' },
}

describe('a table of jobs', () => {
  it('[U43] quotes what would break it, and lets nothing run in a spreadsheet', () => {
    const [head, line] = [csvOf([]), csvOf([row]).slice(csvOf([]).length)]
    expect(head.split(',')[0]).toBe('id')
    expect(line).toBe(
      `a,lab,analysis,"Pi, ""the"" one",failed,ada,,1970-01-01T00:00:00.000Z,,,,,,"'=HYPERLINK(""x"")\nmore"\r\n`,
    )
  })
})
