// Which heads say the same, so that a batch of jobs writes it once. Whatever a head says must be compared here: what is
// forgotten would be told of one job with another's words.

import type { EndedAttempt, HistoryEntry, JobHead } from '@millrace/domain'

/** Of jobs that ran once: their stories differ in the token alone. What few jobs have, and results, are not looked at. */
export function isEndedAlike(a: JobHead, b: JobHead): boolean {
  const [mine, other] = [a.ended[0], b.ended[0]]
  return (
    a.status === b.status &&
    a.queued === b.queued &&
    a.charged === b.charged &&
    a.uncharged === b.uncharged &&
    a.deadLetter === b.deadLetter &&
    a.endedAt === b.endedAt &&
    a.waitMs === b.waitMs &&
    a.runMs === b.runMs &&
    a.history.length === b.history.length &&
    a.history.every((entry, at) => isSameEntry(entry, b.history[at] as HistoryEntry)) &&
    mine !== undefined &&
    other !== undefined &&
    isSameAttempt(mine, other)
  )
}

export function isSameEntry(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.at === b.at && a.by === b.by && a.status === b.status && a.reason === b.reason
}

/** But for the token. */
function isSameAttempt(a: EndedAttempt, b: EndedAttempt): boolean {
  return (
    a.worker === b.worker &&
    a.assignedAt === b.assignedAt &&
    a.acceptBy === b.acceptBy &&
    a.startedAt === b.startedAt &&
    a.runUntil === b.runUntil &&
    a.endedAt === b.endedAt &&
    a.outcome === b.outcome &&
    a.error === b.error
  )
}
