// Jobs whose instant has come: delayed and retried ones become ready, deadlines pass. What happens is read off each job
// by the domain. Ended jobs whose retention is over go the way of retention.ts.

import { isTerminal, type JobId, onDue } from '@millrace/domain'
import { type applyReports as Apply, applyReports, type ReportParts } from '../job/attempt-reports.ts'
import { jobOfRecord } from '../job/job-record.ts'
import type { DueRecord, RecordKey } from '../ports/store.ts'
import { type KeptJob, removeExpired } from './retention.ts'

export async function dueJobs(
  parts: ReportParts,
  due: readonly DueRecord[],
  steadySince: number,
): Promise<void> {
  for (const [room, keys] of keysByRoom(due)) {
    const records = await parts.store.read(room, keys)
    const now = parts.store.now()
    const reports: Parameters<typeof Apply>[1][number][] = []
    const expired: KeptJob[] = []
    for (const record of records) {
      if (!record) continue
      const job = jobOfRecord(record)
      const event = onDue(job, now, steadySince)
      if (event === null) continue
      if (event.type === 'expire') {
        if (isTerminal(job.status)) expired.push({ record, job })
      } else reports.push({ room, job: job.submission.id as JobId, events: [event] })
    }
    // Deadlines first: they are waited for, and what was kept long enough is not.
    await applyReports(parts, reports)
    await removeExpired(parts.store, room, expired)
  }
}

function keysByRoom(due: readonly DueRecord[]): ReadonlyMap<string, RecordKey[]> {
  const rooms = new Map<string, RecordKey[]>()
  for (const { partition, key } of due) {
    const keys = rooms.get(partition)
    if (keys) keys.push(key)
    else rooms.set(partition, [key])
  }
  return rooms
}
