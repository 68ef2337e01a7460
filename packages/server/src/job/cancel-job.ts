// Somebody asks that a job be cancelled, in whatever state it is.

import {
  type Caller,
  type Deed,
  isRefusal,
  type Job,
  type JobId,
  mayCancel,
  type Refusal,
  type Room,
  refuse,
} from '@millrace/domain'
import { applyReports, type ReportParts } from './attempt-reports.ts'
import { readJob } from './read-job.ts'

export async function cancelJob(
  parts: ReportParts,
  room: Room,
  who: Caller,
  id: JobId,
): Promise<Job | Refusal> {
  const found = await readJob(parts.store, room.name, id)
  if (isRefusal(found)) return found
  if (!mayCancel(room, who, found.job.submission.submitter))
    return refuse('room_forbidden', 'A job is cancelled by its submitter or by those who manage the room.')

  const report = { room: room.name, job: id, events: [{ type: 'cancel', by: who.user }] } as const
  const deed: Deed = { who, action: 'job.cancel', target: id, details: extensionOf(found.job) }
  const [answer] = await applyReports(parts, [report], deed)
  if (!answer || isRefusal(answer)) return answer ?? refuse('job_not_found')
  return answer.job
}

function extensionOf({ submission }: Job): NonNullable<Deed['details']> {
  return { extension: `${submission.category}/${submission.extension}`, submitter: submission.submitter }
}
