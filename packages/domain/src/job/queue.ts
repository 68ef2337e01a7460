// Which queue a job stands in, within its room. Jobs of one queue are interchangeable for placement: the same workers
// can take them.

import type { Submission } from './job.ts'
import type { JobPolicy } from './policy.ts'

export type QueueIdentity = Pick<Submission, 'scope' | 'category' | 'extension' | 'schemaHash' | 'addressee'>

export function queueOf({ scope, category, extension, schemaHash, addressee }: QueueIdentity): string {
  const parts = [scope, category, extension, schemaHash]
  return (addressee === undefined ? parts : [...parts, addressee]).map(escapePart).join('/')
}

/** A task's `runBy`: a silent manager cannot keep it longer than it may take to accept it. */
export function taskRunBy(createdAt: number, { acceptMs }: Pick<JobPolicy, 'acceptMs'>): number {
  return createdAt + acceptMs
}

/** Names are the users': one with a slash must not name another extension's queue. */
function escapePart(part: string): string {
  return special.test(part) ? part.replaceAll('%', '%25').replaceAll('/', '%2F') : part
}

const special = /[%/]/
