// For tests: a job as the server assigns it.

import type { AssignedJob } from '@millrace/protocol'

export const sampleHash = 'a hash'

export function sampleAssigned(id: string, change: Partial<AssignedJob> = {}): AssignedJob {
  return {
    id,
    room: 'lab',
    token: `token of ${id}`,
    scope: 'room',
    category: 'modifiers',
    extension: 'Relax',
    schemaHash: sampleHash,
    data: { steps: 10 },
    submitter: 'ann',
    charged: 0,
    acceptBy: 10_000,
    runLimitMs: 240_000,
    cancelGraceMs: 5_000,
    ...change,
  }
}
