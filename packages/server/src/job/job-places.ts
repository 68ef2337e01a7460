// The names of what a job stands in and is counted by. The jobs of a batch mostly share all of them, so they are made once
// and told by the same texts and arrays, which whoever writes them need not make, check or look up again.

import { type Job, queueOf, type Submission, type TerminalStatus } from '@millrace/domain'

/** Lists kept across rooms. A job stands in one of the first five; `dead` holds the dead letters not yet redriven. */
export type StatusList = 'pending' | 'active' | 'completed' | 'failed' | 'cancelled'
export const statusLists: readonly StatusList[] = ['pending', 'active', 'completed', 'failed', 'cancelled']
export const deadLetterList = 'dead'

/** Jobs assigned or running in the room; the room's limit is checked against it at the claim. */
export const runningCounter = 'running'

export interface JobPlaces {
  readonly queue: string
  /** Of its extension and of its submitter. */
  readonly lists: readonly string[]
  readonly open: string
  readonly running: string
  readonly ended: Readonly<Record<TerminalStatus, string>>
}

type Kind = Pick<Submission, 'scope' | 'category' | 'extension' | 'schemaHash' | 'addressee' | 'submitter'>

const alone: Readonly<Record<StatusList, readonly StatusList[]>> = {
  pending: ['pending'],
  active: ['active'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
}

let lastKind: Kind | null = null
let lastPlaces: JobPlaces | null = null

export function placesOf(submission: Submission): JobPlaces {
  if (lastKind && lastPlaces && isSameKind(lastKind, submission)) return lastPlaces
  const { scope, category, extension, schemaHash, addressee, submitter } = submission
  const queue = queueOf(submission)
  // Not the submission itself, which is large and would be kept.
  lastKind = {
    scope,
    category,
    extension,
    schemaHash,
    submitter,
    ...(addressee !== undefined && { addressee }),
  }
  lastPlaces = {
    queue,
    lists: [extensionList(submission), userList(submitter)],
    open: openOfQueue(queue),
    running: runningOfQueue(queue),
    ended: {
      completed: endedOfExtension('completed', submission),
      failed: endedOfExtension('failed', submission),
      cancelled: endedOfExtension('cancelled', submission),
    },
  }
  return lastPlaces
}

/** Across rooms. */
export function wideListsOf({ status, deadLetter }: Job): readonly string[] {
  const list = status === 'assigned' || status === 'running' ? 'active' : status
  return deadLetter ? [list, deadLetterList] : alone[list]
}

export function extensionList({ category, extension }: Pick<Submission, 'category' | 'extension'>): string {
  return `extension:${category}/${extension}`
}

export function userList(submitter: string): string {
  return `user:${submitter}`
}

export function runningOfQueue(queue: string): string {
  return `running:${queue}`
}

/** Jobs of a queue that have not ended: what a version of an extension is kept for. */
export function openOfQueue(queue: string): string {
  return `open:${queue}`
}

/** Jobs of an extension that ended so, over the room's whole life. */
function endedOfExtension(
  status: TerminalStatus,
  { scope, category, extension }: Pick<Submission, 'scope' | 'category' | 'extension'>,
): string {
  return `${status}:${scope}/${category}/${extension}`
}

function isSameKind(a: Kind, b: Kind): boolean {
  return (
    a.extension === b.extension &&
    a.submitter === b.submitter &&
    a.schemaHash === b.schemaHash &&
    a.category === b.category &&
    a.scope === b.scope &&
    a.addressee === b.addressee
  )
}
