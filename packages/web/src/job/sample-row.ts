// For tests: a job as a list knows it.

import type { JobRow } from './job-row.ts'

export function sampleRow(id: string, more: Partial<JobRow> = {}): JobRow {
  return {
    id,
    room: 'lab',
    category: 'analysis',
    extension: 'Pi',
    submitter: 'ada',
    status: 'pending',
    createdAt: 100,
    ...more,
  }
}
