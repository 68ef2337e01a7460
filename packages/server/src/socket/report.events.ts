// How jobs do, as their workers tell it. Reports come as arrays and each is answered for itself.

import type { AttemptToken, Identity, JobId, Refusal } from '@millrace/domain'
import { type ReportAnswer, serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io'
import { type AttemptReport, logAttempt, reportAttempts } from '../job/attempt-reports.ts'
import type { SaidLines } from '../job/job-log.ts'
import type { Reported, ReportedEvent } from '../job/report-jobs.ts'
import { resultText } from '../job/result-text.ts'
import { problemOf } from '../refusal/problem-of.ts'
import { openRoom } from '../room/rooms.ts'
import type { ServerParts } from '../server-parts.ts'
import { addEvent, type EventDoor } from './event-handler.ts'

interface Named {
  readonly room: string
  readonly job: string
  readonly token: string
}

type Report = AttemptReport | Refusal

export function reportEvents(parts: ServerParts, door: EventDoor): (socket: Socket) => void {
  const { jobStarted, jobRejected, jobProgress, jobLog, jobCompleted, jobFailed, jobStopped } = serverEvents
  const tell = async <Entry extends Named>(
    who: Identity,
    entries: readonly Entry[],
    read: (entry: Entry) => Report,
  ) => {
    const shut = await shutRooms(parts, who, entries)
    const reports = entries.map((entry) => shut.get(entry.room) ?? read(entry))
    return { answers: (await reportEach(parts, who, reports)).map(answerOf) }
  }
  const adders = [
    addEvent(door, jobStarted, ({ payload, who }) => tell(who, payload, (one) => report(one, startOf(one)))),
    addEvent(door, jobRejected, ({ payload, who }) =>
      tell(who, payload, (one) => {
        const reason = one.reason === undefined ? {} : { reason: one.reason }
        return report(one, { type: 'reject', token: tokenOf(one), ...reason })
      }),
    ),
    addEvent(door, jobProgress, ({ payload, who }) =>
      tell(who, payload, (one) => {
        const { fraction, message } = one
        const said = message === undefined ? { fraction } : { fraction, message }
        return report(one, { type: 'progress', token: tokenOf(one), ...said })
      }),
    ),
    addEvent(door, jobCompleted, ({ payload, who }) =>
      tell(who, payload, (one) => {
        const result = resultText(one.result, parts.limits.resultMaxBytes)
        if (typeof result === 'object') return result
        const complete = { type: 'complete', token: tokenOf(one) } as const
        return report(one, ...started(one), result === undefined ? complete : { ...complete, result })
      }),
    ),
    addEvent(door, jobFailed, ({ payload, who }) =>
      tell(who, payload, (one) => {
        const { error, retryable = true } = one
        return report(one, ...started(one), { type: 'fail', token: tokenOf(one), retryable, error })
      }),
    ),
    addEvent(door, jobStopped, ({ payload, who }) =>
      tell(who, payload, (one) =>
        report(one, { type: 'cancel_stage', token: tokenOf(one), stage: one.stage }),
      ),
    ),
    addEvent(door, jobLog, async ({ payload, who }) => {
      const shut = await shutRooms(parts, who, payload)
      return { answers: await Promise.all(payload.map((one) => log(parts, who, one, shut.get(one.room)))) }
    }),
  ]
  return (socket) => {
    for (const add of adders) add(socket)
  }
}

function report({ room, job, token }: Named, ...events: readonly ReportedEvent[]): AttemptReport {
  return { room, job: job as JobId, token: token as AttemptToken, events }
}

function tokenOf({ token }: Named): AttemptToken {
  return token as AttemptToken
}

function startOf(one: Named): ReportedEvent {
  return { type: 'start', token: tokenOf(one) }
}

/** A job that ended before its start was told comes with both. */
function started(one: Named & { readonly started?: boolean }): readonly ReportedEvent[] {
  return one.started ? [startOf(one)] : []
}

/** A report names its room, and a name opens nothing: the credential has to reach it, as on every route of a room. */
async function shutRooms(
  { rooms }: ServerParts,
  who: Identity,
  entries: readonly Named[],
): Promise<ReadonlyMap<string, Refusal>> {
  const shut = new Map<string, Refusal>()
  for (const room of new Set(entries.map((entry) => entry.room))) {
    const entered = await openRoom(rooms, room, who, 'report')
    if ('refused' in entered) shut.set(room, entered)
  }
  return shut
}

async function log(
  parts: ServerParts,
  who: Identity,
  { lines, first, ...one }: Named & SaidLines,
  shut: Refusal | undefined,
): Promise<ReportAnswer> {
  if (shut) return answerOf(shut)
  const said = first === undefined ? { lines } : { lines, first }
  const logged = await logAttempt(parts.reports, who.user, report(one), said)
  return 'refused' in logged ? answerOf(logged) : { status: 'running' }
}

/** Reports that were refused before they reached a rule keep their place among the answers. */
async function reportEach(
  parts: ServerParts,
  who: Identity,
  reports: readonly Report[],
): Promise<readonly Reported[]> {
  const sound = reports.filter((one): one is AttemptReport => !('refused' in one))
  const answers = await reportAttempts(parts.reports, who.user, sound)
  let next = 0
  return reports.map((one) => ('refused' in one ? one : (answers[next++] as Reported)))
}

function answerOf(reported: Reported): ReportAnswer {
  return 'refused' in reported ? { problem: problemOf(reported) } : { status: reported.job.status }
}
