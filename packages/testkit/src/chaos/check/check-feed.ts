// What readers heard: within a session no number is missing, a number is the same event for everybody, and whoever
// fetches again after each break ends up with the truth.

import type { HeardEvent, ReaderSession } from '../load/room-reader.ts'
import type { Evidence, Finding } from './evidence.ts'

export function checkFeed(evidence: Evidence): readonly Finding[] {
  return [
    ...evidence.sessions.flatMap(gaps),
    ...disagreements(evidence.sessions),
    ...evidence.views.flatMap((view) => untruths(view, evidence)),
  ]
}

function gaps({ reader, room, after, batches }: ReaderSession): readonly Finding[] {
  const findings: Finding[] = []
  let last = after
  for (const { from, to, events } of batches) {
    if (last !== null && from !== last + 1)
      findings.push({ rule: 'X7', what: `${reader} in ${room} heard ${from} after ${last}` })
    const numbers = [from - 1, ...events.map(({ sequence }) => sequence), to + 1]
    if (numbers.some((number, at) => at > 0 && number <= (numbers[at - 1] as number)))
      findings.push({ rule: 'X7', what: `${reader} in ${room} heard ${numbers.join(', ')} out of order` })
    last = to
  }
  return findings
}

function disagreements(sessions: readonly ReaderSession[]): readonly Finding[] {
  const told = new Map<string, HeardEvent>()
  const findings: Finding[] = []
  for (const { room, reader, batches } of sessions) {
    for (const event of batches.flatMap(({ events }) => events)) {
      const place = `${room} ${event.sequence}`
      const before = told.get(place)
      if (before && (before.job !== event.job || before.status !== event.status))
        findings.push({ rule: 'X7', job: event.job, what: `${place} is another event for ${reader}` })
      told.set(place, before ?? event)
    }
  }
  return findings
}

function untruths(
  { reader, room, statuses }: Evidence['views'][number],
  { jobs }: Evidence,
): readonly Finding[] {
  const inRoom = [...jobs.values()].filter((job) => job.room === room)
  const wrong = inRoom.filter(({ id, status }) => statuses.get(id) !== status)
  const [first] = wrong
  if (!first) return []
  const { id, status } = first
  const what = `${reader} is wrong about ${wrong.length} jobs of ${room}, such as one that it believes`
  return [{ rule: 'X8', job: id, what: `${what} ${statuses.get(id) ?? 'not there'} and is ${status}` }]
}
