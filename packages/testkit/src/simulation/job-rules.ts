// What may become of a job from one commit to the next, said without the transition table: whatever the server's code
// decided, the store must not have taken it otherwise.

import { isTerminal, type Job } from '@millrace/domain'

export function jobProblems(before: Job | null, after: Job): readonly string[] {
  if (before === null) return newProblems(after)
  return [...endProblems(before, after), ...attemptProblems(before, after)]
}

/** It waits, or its submit found a free slot and assigned it at once. */
function newProblems({ status, attempt, ended }: Job): readonly string[] {
  const expected = attempt === null ? 'pending' : 'assigned'
  return status === expected && ended.length === 0
    ? []
    : [`a new job is ${status} and has ${ended.length} attempts behind it`]
}

/** A job ends once; later commits may add how its cancel came to rest, and nothing else. */
function endProblems(before: Job, after: Job): readonly string[] {
  if (!isTerminal(before.status)) return []
  const same =
    after.status === before.status &&
    after.endedAt === before.endedAt &&
    after.ended.length === before.ended.length
  return same ? [] : [`a job that was ${before.status} ended again as ${after.status}`]
}

/** Attempts end one at a time, the current one only, and only a claim attaches another. */
function attemptProblems(before: Job, after: Job): readonly string[] {
  const problems: string[] = []
  const forgotten = before.ended.find(({ token }, n) => after.ended[n]?.token !== token)
  if (forgotten) problems.push(`the end of attempt ${forgotten.token} was overwritten`)
  const fresh = after.ended.slice(before.ended.length)
  if (fresh.length > 1) problems.push(`${fresh.length} attempts ended in one commit`)
  for (const { token, worker } of fresh) {
    if (token !== before.attempt?.token || worker !== before.attempt.worker)
      problems.push(`attempt ${token} of ${worker} ended, but ${before.attempt?.token ?? 'none'} was current`)
  }
  const { attempt } = after
  if (attempt && (attempt.token !== before.attempt?.token || attempt.worker !== before.attempt.worker))
    problems.push(`attempt ${attempt.token} of ${attempt.worker} was attached without a claim`)
  if (before.attempt && attempt === null && fresh.length === 0)
    problems.push(`attempt ${before.attempt.token} vanished`)
  return problems
}
