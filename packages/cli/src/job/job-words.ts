// The codes of the wire about a job, in words. A code that these words do not repeat stands behind them, because it is what
// scripts, logs and other people's questions name.

import type { JobError } from '@millrace/protocol'

const outcomes: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed_retryable: 'failed, may be tried again',
  failed_fatal: 'failed for good',
  timed_out: 'ran longer than it may',
  rejected: 'given back by the worker',
  not_accepted: 'not accepted in time',
  worker_lost: 'its worker was lost',
  server_stop: 'the server or its pool was stopped',
  cancelled: 'cancelled',
}

const stages: Readonly<Record<string, string>> = {
  requested: 'asked for',
  delivered: 'the worker was told',
  acknowledged: 'the worker asks the job to stop',
  stopped: 'the job stopped',
  killed: 'the process of the job was killed',
}

/** How an attempt ended. */
export function outcomeInWords(outcome: string): string {
  return withCode(outcomes[outcome], outcome)
}

/** How far a cancel has come. */
export function stageInWords(stage: string): string {
  return stages[stage] ?? stage
}

/** `Error` is what nobody chose, so it says nothing. A class stands before what it says, as in a stack; a code behind it. */
export function errorInWords({ message, name }: Pick<JobError, 'message' | 'name'>): string {
  if (name === undefined || name === '' || name === 'Error') return message
  if (!/^[A-Z]/.test(name)) return withCode(message, name)
  return message.startsWith(`${name}:`) ? message : `${name}: ${message}`
}

export function withCode(words: string | undefined, code: string): string {
  if (words === undefined || words === code) return code
  return `${words} (${code})`
}
