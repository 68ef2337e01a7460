// Runs an ended job again: a new job that names the old one, and the old one names it, in one commit. What the job was
// given is validated anew, for the schema may be another by now.

import {
  type Caller,
  capPriority,
  type Deed,
  deadLetterRefusal,
  type ExtensionVersion,
  isRefusal,
  type Job,
  type JobId,
  queueOf,
  type Refusal,
  type Room,
  redriveSubmission,
  refuse,
  score,
  submit,
  transition,
  versionOf,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { extensionPlace } from '../extension/extension-record.ts'
import { newId } from '../new-id.ts'
import type { Change, RecordKey } from '../ports/store.ts'
import { announceJob, announceNewJob } from './job-events.ts'
import { openOfQueue } from './job-places.ts'
import { jobKey, jobOfRecord, putJob, putNewJob } from './job-record.ts'
import type { Submitted } from './submit-jobs.ts'
import type { SubmitParts } from './submit-to-extension.ts'

type RetryParts = Pick<
  SubmitParts,
  'store' | 'extensions' | 'validator' | 'waiting' | 'intake' | 'wake' | 'onSubmitted'
>

/** How one of many is run again: once, however it ended; and only as a dead letter, where that was asked for. */
interface AmongMany {
  readonly deadLetters: boolean
}

export async function retryJob(
  parts: RetryParts,
  who: Caller,
  room: Room,
  id: JobId,
): Promise<Submitted | Refusal> {
  const made = await runAgain(parts, who, room, id, null)
  return isRefusal(made) ? (madeBefore(made) ?? made) : { id: made.submission.id, created: true }
}

/** Null: it was run again. What goes on record is the request about all of them. */
export async function retryOneOfMany(
  parts: RetryParts,
  who: Caller,
  room: Room,
  id: JobId,
  among: AmongMany,
): Promise<Refusal | null> {
  const made = await runAgain(parts, who, room, id, among)
  return isRefusal(made) ? made : null
}

async function runAgain(
  parts: RetryParts,
  who: Caller,
  room: Room,
  id: JobId,
  among: AmongMany | null,
): Promise<Job | Refusal> {
  const { store, extensions, intake } = parts
  for (;;) {
    const [record] = await store.read(room.name, [jobKey(id)])
    if (!record) return refuse('job_not_found')
    const before = jobOfRecord(record)
    const place = placeOf(before)

    const decided = await decide(parts, who, before, among)
    if (isRefusal(decided)) return decided

    const rests = place.partition === room.name ? { [place.key]: decided.extensionVersion } : {}
    const change = changeOf(parts, record.version, before, decided, rests)
    const deed = among ? undefined : retryDeed(who, decided)
    const outcome = await intake.through(room.name, 1, 0, () =>
      store.commit(recorded(change, deed, store.now())),
    )
    if (isRefusal(outcome)) return outcome
    if (outcome.outcome === 'stale') {
      extensions.forget(place.partition, place.key)
      continue
    }

    tellPlacement(parts, decided.made)
    return decided.made
  }
}

interface Decided {
  readonly old: Job
  readonly made: Job
  /** Of the record that the extension was read from. */
  readonly extensionVersion: number
}

/** Whether it may be run again comes first: of a job that was, nobody wants to know whether its data still fits. */
async function decide(
  parts: RetryParts,
  who: Caller,
  before: Job,
  among: AmongMany | null,
): Promise<Decided | Refusal> {
  const now = parts.store.now()
  const as = newId(now) as JobId
  const redriven = transition(before, { type: 'redrive', as, ...(among && { once: true }) }, now, 0)
  if (isRefusal(redriven)) return redriven
  const refusal = among?.deadLetters ? deadLetterRefusal(before) : null
  if (refusal) return refusal
  const current = await currentVersion(parts, before)
  if (isRefusal(current)) return current
  const data = await parts.validator.validateAll(current.version, [before.submission.data])
  if (isRefusal(data)) return data
  const priority = capPriority(before.submission.priority, who.role)
  if (isRefusal(priority)) return priority
  const order = {
    id: as,
    submitter: who.user,
    priority,
    schemaHash: current.version.hash,
    data: data[0],
    createdAt: now,
  }
  const submitted = submit(redriveSubmission(before.submission, order))
  if (isRefusal(submitted)) return submitted
  return { old: redriven.next, made: submitted.next, extensionVersion: current.readAt }
}

async function currentVersion(
  { extensions }: RetryParts,
  before: Job,
): Promise<{ readonly version: ExtensionVersion; readonly readAt: number } | Refusal> {
  const known = await extensions.at(placeOf(before))
  const version = known && versionOf(known.value, known.value.current)
  return version ? { version, readAt: known.version } : refuse('extension_not_found')
}

function retryDeed(who: Caller, { old, made }: Decided): Deed {
  const { category, extension, id } = made.submission
  const details = { as: id, extension: `${category}/${extension}` }
  return { who, action: 'job.retry', target: old.submission.id, details }
}

/** Two who press the button at once have run it again together. */
function madeBefore({ refused, details }: Refusal): Submitted | null {
  return refused === 'job_redriven' ? { id: details?.redrivenAs as JobId, created: false } : null
}

function changeOf(
  { store }: RetryParts,
  version: number,
  before: Job,
  { old, made }: Decided,
  rests: Readonly<Record<RecordKey, number>>,
): Change {
  return {
    id: newId(store.now()),
    partition: before.submission.room,
    takesIn: true,
    expect: rests,
    add: { [openOfQueue(queueOf(made.submission))]: 1 },
    put: [putNewJob(made), putJob(old, version)],
    announce: [announceNewJob(made), announceJob(before, old)],
  }
}

function tellPlacement({ waiting, wake, onSubmitted }: RetryParts, { submission }: Job): void {
  waiting.added(submission.room, queueOf(submission), 1, score(submission))
  onSubmitted(1)
  wake()
}

function placeOf({ submission }: Job): ReturnType<typeof extensionPlace> {
  const { scope, category, extension: name, room } = submission
  return extensionPlace({ scope, category, name }, room)
}
