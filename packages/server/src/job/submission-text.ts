// A submission as the body of its record: two lines of JSON. The first holds what jobs of one kind share, so that a batch
// writes and reads it once and keeps one policy in memory; the second what is the job's own. Room and id are not repeated:
// they are where the record stands. A body that begins with a brace is of the first format, one object.

import type { JobId, JobPolicy, RoomName, Submission } from '@millrace/domain'

type PolicyText = [number, number, number, number, number, number, JobPolicy['onWorkerLost'], number, number]
type Shared = Pick<
  Submission,
  'scope' | 'category' | 'extension' | 'schemaHash' | 'submitter' | 'priority' | 'policy'
>
type SharedText = [
  format: number,
  Shared['scope'],
  Shared['category'],
  Shared['extension'],
  Shared['schemaHash'],
  Shared['submitter'],
  Shared['priority'],
  PolicyText,
]
/** What few jobs have. */
type Rare = Pick<Submission, 'notBefore' | 'runBy' | 'addressee' | 'idempotency' | 'redriveOf'>
type OwnText = [createdAt: number, data: unknown, rare?: Rare]
type FirstFormat = Omit<Submission, 'policy'> & { policy: PolicyText }

const format = 2

interface Kept {
  readonly shared: Shared
  readonly text: string
}

let lastWritten: Kept | null = null
let lastRead: Kept | null = null

export function encodeSubmission(submission: Submission): string {
  const { createdAt, data } = submission
  const rare = rareOf(submission)
  const own = `[${createdAt},${JSON.stringify(data) ?? 'null'}${rare ? `,${JSON.stringify(rare)}` : ''}]`
  return `${sharedText(submission)}\n${own}`
}

/** `at` is where the record stands. */
export function decodeSubmission(
  text: string,
  at: { readonly room: RoomName; readonly id: JobId },
): Submission {
  if (text.startsWith('{')) return readFirstFormat(text)
  const cut = text.indexOf('\n')
  const { scope, category, extension, schemaHash, submitter, priority, policy } = readShared(text, cut)
  const [createdAt, data, rare] = JSON.parse(text.slice(cut + 1)) as OwnText
  const { room, id } = at
  // One literal in one order: jobs that were read and jobs that were made then have the same shape.
  const read: Submission = {
    id,
    room,
    scope,
    category,
    extension,
    schemaHash,
    data,
    submitter,
    priority,
    createdAt,
    policy,
  }
  return rare === undefined ? read : { ...read, ...rare }
}

function sharedText(submission: Submission): string {
  if (lastWritten && isShared(lastWritten.shared, submission)) return lastWritten.text
  const { scope, category, extension, schemaHash, submitter, priority, policy } = submission
  const shared = { scope, category, extension, schemaHash, submitter, priority, policy }
  const ordered: SharedText = [
    format,
    scope,
    category,
    extension,
    schemaHash,
    submitter,
    priority,
    policyText(policy),
  ]
  lastWritten = { shared, text: JSON.stringify(ordered) }
  return lastWritten.text
}

function isShared(a: Shared, b: Shared): boolean {
  return (
    a.policy === b.policy &&
    a.extension === b.extension &&
    a.submitter === b.submitter &&
    a.schemaHash === b.schemaHash &&
    a.category === b.category &&
    a.scope === b.scope &&
    a.priority === b.priority
  )
}

function readShared(text: string, cut: number): Shared {
  const line = text.slice(0, cut)
  // Compared as a whole: `startsWith` walks through it letter by letter, which took four times as long.
  if (lastRead !== null && lastRead.text === line) return lastRead.shared
  const [itsFormat, scope, category, extension, schemaHash, submitter, priority, policy] = JSON.parse(
    line,
  ) as SharedText
  if (itsFormat !== format)
    throw new Error(`a submission is written in format ${itsFormat}, and this Millrace knows ${format}`)
  const shared = { scope, category, extension, schemaHash, submitter, priority, policy: readPolicy(policy) }
  lastRead = { shared, text: line }
  return shared
}

function readFirstFormat(text: string): Submission {
  const parsed = JSON.parse(text) as FirstFormat
  return { ...parsed, policy: readPolicy(parsed.policy) }
}

function rareOf({ notBefore, runBy, addressee, idempotency, redriveOf }: Submission): Rare | null {
  const isPlain =
    notBefore === undefined && runBy === undefined && addressee === undefined && !idempotency && !redriveOf
  if (isPlain) return null
  return {
    ...(notBefore !== undefined && { notBefore }),
    ...(runBy !== undefined && { runBy }),
    ...(addressee !== undefined && { addressee }),
    ...(idempotency && { idempotency }),
    ...(redriveOf !== undefined && { redriveOf }),
  }
}

function policyText(policy: JobPolicy): PolicyText {
  const { maxAttempts, backoffBaseMs, backoffCapMs, acceptMs, runLimitMs, cancelGraceMs, onWorkerLost } =
    policy
  const { retentionMs, deadLetterRetentionMs } = policy
  return [
    maxAttempts,
    backoffBaseMs,
    backoffCapMs,
    acceptMs,
    runLimitMs,
    cancelGraceMs,
    onWorkerLost,
    retentionMs,
    deadLetterRetentionMs,
  ]
}

function readPolicy(text: PolicyText): JobPolicy {
  const [maxAttempts, backoffBaseMs, backoffCapMs, acceptMs, runLimitMs, cancelGraceMs, onWorkerLost] = text
  const [retentionMs, deadLetterRetentionMs] = [text[7], text[8]]
  return {
    maxAttempts,
    backoffBaseMs,
    backoffCapMs,
    acceptMs,
    runLimitMs,
    cancelGraceMs,
    onWorkerLost,
    retentionMs,
    deadLetterRetentionMs,
  }
}
