// One thing to tell the server about an attempt, as it goes over the wire, with its rough size there.

import type { AttemptRef, JobError, PayloadOf, serverEvents } from '@millrace/protocol'
import { cutText } from './cut-text.ts'

type EntryOf<Name extends keyof typeof serverEvents> =
  PayloadOf<(typeof serverEvents)[Name]> extends readonly (infer Entry)[] ? Entry : never

export interface ReportEntries {
  'job:started': EntryOf<'jobStarted'>
  'job:log': EntryOf<'jobLog'>
  'job:progress': EntryOf<'jobProgress'>
  'job:stopped': EntryOf<'jobStopped'>
  'job:rejected': EntryOf<'jobRejected'>
  'job:completed': EntryOf<'jobCompleted'>
  'job:failed': EntryOf<'jobFailed'>
}

export type ReportEvent = keyof ReportEntries
export type Stage = ReportEntries['job:stopped']['stage']

export interface ReportOf<Event extends ReportEvent> {
  readonly event: Event
  readonly entry: ReportEntries[Event]
  readonly bytes: number
}

export type Report = { [Event in ReportEvent]: ReportOf<Event> }[ReportEvent]

/** The server keeps less of each; these only keep absurd texts off the wire. */
const textLimits = { reason: 1_000, message: 10_000, stack: 20_000, name: 200 }

/** A room's name, two ids and the names of the fields. */
const bareBytes = 200

export function startedReport({ room, job, token }: AttemptRef): ReportOf<'job:started'> {
  return { event: 'job:started', entry: { room, job, token }, bytes: bareBytes }
}

export function logReport(ref: AttemptRef, lines: string[], bytes: number): ReportOf<'job:log'> {
  return { event: 'job:log', entry: { ...ref, lines }, bytes: bareBytes + bytes }
}

export function progressReport(
  { room, job, token }: AttemptRef,
  fraction: number,
  message?: string,
): ReportOf<'job:progress'> {
  const told = message === undefined ? {} : { message: cutText(message, textLimits.message) }
  const entry = { room, job, token, fraction, ...told }
  return { event: 'job:progress', entry, bytes: bareBytes + (told.message?.length ?? 0) }
}

export function stoppedReport({ room, job, token }: AttemptRef, stage: Stage): ReportOf<'job:stopped'> {
  return { event: 'job:stopped', entry: { room, job, token, stage }, bytes: bareBytes }
}

export function rejectedReport({ room, job, token }: AttemptRef, reason: string): ReportOf<'job:rejected'> {
  const entry = { room, job, token, reason: cutText(reason, textLimits.reason) }
  return { event: 'job:rejected', entry, bytes: bareBytes + entry.reason.length }
}

export function completedReport(
  { room, job, token }: AttemptRef,
  result: unknown,
  resultBytes: number,
): ReportOf<'job:completed'> {
  const entry = result === undefined ? { room, job, token } : { room, job, token, result }
  return { event: 'job:completed', entry, bytes: bareBytes + resultBytes }
}

export function failedReport(
  { room, job, token }: AttemptRef,
  { message, name, stack }: JobError,
  retryable: boolean,
): ReportOf<'job:failed'> {
  const error: JobError = { message: cutText(message, textLimits.message) }
  if (name !== undefined) error.name = cutText(name, textLimits.name)
  if (stack !== undefined) error.stack = cutText(stack, textLimits.stack)
  const bytes = bareBytes + error.message.length + (error.stack?.length ?? 0)
  return { event: 'job:failed', entry: { room, job, token, error, retryable }, bytes }
}

/** The last thing there is to say about an attempt. */
export function isLast({ event, entry }: Report): boolean {
  switch (event) {
    case 'job:rejected':
    case 'job:completed':
    case 'job:failed':
      return true
    case 'job:stopped':
      return entry.stage !== 'acknowledged'
    default:
      return false
  }
}
