// A job's story, bounded. A claim attaches an attempt without reading the head, so the entry of the newest assignment
// is derived from the attempt until the next transition writes it down.

import { cutText, textLimits } from './bounded-error.ts'
import type { Attempt, HistoryEntry, Job } from './job.ts'

/** Enough for every attempt of a default policy with room to spare; bounds the head. */
export const historyLimit = 50

/** How a job began is worth as much as how it ended; the middle of a long story is what goes. */
const keptFromStart = 10

export function historyOf(job: Job): readonly HistoryEntry[] {
  const assigned = unwritten(job)
  return assigned === null ? job.history : bounded([...job.history, assigned])
}

export function record(job: Job, entry: HistoryEntry): readonly HistoryEntry[] {
  const reason = cutText(entry.reason, textLimits.historyReason)
  const kept = reason === entry.reason ? entry : { ...entry, reason }
  const assigned = unwritten(job)
  return bounded(assigned === null ? [...job.history, kept] : [...job.history, assigned, kept])
}

/** The entry of an assignment that no transition has written down yet. */
function unwritten({ status, attempt, history }: Job): HistoryEntry | null {
  if (status !== 'assigned' || attempt === null) return null
  // After the assignment is written, every further entry of an assigned job says assigned as well.
  return history.at(-1)?.status === 'assigned' ? null : assignment(attempt)
}

function assignment(attempt: Attempt): HistoryEntry {
  return { at: attempt.assignedAt, status: 'assigned', reason: 'assigned', by: attempt.worker }
}

function bounded(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  if (entries.length <= historyLimit) return entries
  return [...entries.slice(0, keptFromStart), ...entries.slice(keptFromStart - historyLimit)]
}
