// Runs an ended job again: a new job that names the old one, and the old one names it, in one commit. What the job was
// given is validated anew, for the schema may be another by now.

import {
  type Caller,
  capPriority,
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
import { extensionPlace } from '../extension/extension-record.ts'
import { newId } from '../new-id.ts'
import type { Change, RecordKey } from '../ports/store.ts'
import {
  announceJob,
  announceNewJob,
  jobKey,
  jobOfRecord,
  openOfQueue,
  putJob,
  putNewJob,
} from './job-record.ts'
import type { Submitted } from './submit-jobs.ts'
import type { SubmitParts } from './submit-to-extension.ts'

type RetryParts = Pick<SubmitParts, 'store' | 'extensions' | 'validator' | 'waiting' | 'wake' | 'onSubmitted'>

export async function retryJob(
  parts: RetryParts,
  who: Caller,
  room: Room,
  id: JobId,
): Promise<Submitted | Refusal> {
  const { store, extensions } = parts
  for (;;) {
    const [record] = await store.read(room.name, [jobKey(id)])
    if (!record) return refuse('job_not_found')
    const before = jobOfRecord(record)
    const place = placeOf(before)

    const decided = await decide(parts, who, before)
    if (isRefusal(decided)) return madeBefore(decided) ?? decided

    const rests = place.partition === room.name ? { [place.key]: decided.extensionVersion } : {}
    const outcome = await store.commit(changeOf(parts, record.version, before, decided, rests))
    if (outcome.outcome === 'stale') {
      extensions.forget(place.partition, place.key)
      continue
    }

    tellPlacement(parts, decided.made)
    return { id: decided.made.submission.id, created: true }
  }
}

interface Decided {
  readonly old: Job
  readonly made: Job
  /** Of the record that the extension was read from. */
  readonly extensionVersion: number
}

/** Whether it may be run again comes first: of a job that was, nobody wants to know whether its data still fits. */
async function decide(parts: RetryParts, who: Caller, before: Job): Promise<Decided | Refusal> {
  const now = parts.store.now()
  const as = newId(now) as JobId
  const redriven = transition(before, { type: 'redrive', as }, now, 0)
  if (isRefusal(redriven)) return redriven
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
