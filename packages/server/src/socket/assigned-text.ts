// Jobs as a worker is told of them, as text: what jobs of one kind share is written once for all of them. The same as
// `assignedView`, which those get who ask for their jobs.

import type { Job, Submission } from '@millrace/domain'
import { JsonText } from './json-text.ts'

type Shared = Pick<
  Submission,
  'room' | 'scope' | 'category' | 'extension' | 'schemaHash' | 'submitter' | 'policy'
>

let last: Shared | null = null
let lastText = ''

export function assignedText(jobs: readonly Job[]): JsonText {
  return new JsonText(`[${jobs.map(textOf).join(',')}]`)
}

/** Ids and tokens are letters, digits and dashes: we made them. */
function textOf({ submission, attempt, charged }: Job): string {
  const { id, data } = submission
  if (!attempt) throw new Error(`job ${id} was to be assigned without an attempt`)
  const { token, acceptBy } = attempt
  const own = `"id":"${id}","token":"${token}","charged":${charged},"acceptBy":${acceptBy}`
  return `{${own},"data":${JSON.stringify(data) ?? 'null'},${sharedText(submission)}}`
}

/** Without its braces. */
function sharedText(submission: Submission): string {
  if (last !== null && isShared(last, submission)) return lastText
  const { room, scope, category, extension, schemaHash, submitter, policy } = submission
  const { runLimitMs, cancelGraceMs } = policy
  const told = { room, scope, category, extension, schemaHash, submitter, runLimitMs, cancelGraceMs }
  lastText = JSON.stringify(told).slice(1, -1)
  last = { room, scope, category, extension, schemaHash, submitter, policy }
  return lastText
}

function isShared(a: Shared, b: Shared): boolean {
  return (
    a.policy === b.policy &&
    a.room === b.room &&
    a.extension === b.extension &&
    a.submitter === b.submitter &&
    a.schemaHash === b.schemaHash &&
    a.category === b.category &&
    a.scope === b.scope
  )
}
