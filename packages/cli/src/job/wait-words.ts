// What is told about a job that waits beyond why: what its last try failed with, and what to do about a busy machine.

import type { JobView, WhyView } from '@millrace/protocol'
import { errorInWords } from './job-words.ts'

export const overloadAdvice =
  'a busy machine takes jobs nevertheless with --however-busy (worker, pool) or --pool-however-busy (start)'

/** Of a load or a memory that is too high the server tells in words alone. */
const overload = /(?:^|; )(?:load|memory) \d/

export function isOverloaded({ reason, details }: Pick<WhyView, 'reason' | 'details'>): boolean {
  const { because } = details
  if (reason !== 'workers_unavailable' || !Array.isArray(because)) return false
  return because.some((one) => overload.test(String(one)))
}

/** The end of a line; nothing where no try failed. */
export function lastTry({ attempts }: Pick<JobView, 'attempts'>): string {
  const error = attempts.at(-1)?.error
  return error === undefined ? '' : ` Last try: ${errorInWords(error).replaceAll(/\s+/g, ' ')}`
}
