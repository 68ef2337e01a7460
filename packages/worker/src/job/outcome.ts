// The outcomes a handler can return beside its result. They are values: only what is unexpected is thrown.

const outcome: unique symbol = Symbol.for('@millrace/worker/outcome')

/** The job failed. It is tried again while its policy allows, unless it is not retryable. */
export interface Failed {
  readonly [outcome]: 'failed'
  readonly message: string
  readonly retryable: boolean
}

/** This worker cannot take the job. Nobody is blamed, and another worker gets it. */
export interface Rejected {
  readonly [outcome]: 'rejected'
  readonly reason: string
}

/** The job failed; it is worth another try unless `retryable: false` says otherwise. */
export function failed(message: string, options: { readonly retryable?: boolean } = {}): Failed {
  return { [outcome]: 'failed', message, retryable: options.retryable ?? true }
}

/** The job failed and would fail again: it becomes a dead letter at once. */
export function fatal(message: string): Failed {
  return failed(message, { retryable: false })
}

/** For an extension's `accept`. Once a job runs it can only fail, so a handler that returns this late fails retryably. */
export function rejected(reason: string): Rejected {
  return { [outcome]: 'rejected', reason }
}

export function isFailed(value: unknown): value is Failed {
  return saidOutcome(value) === 'failed'
}

export function isRejected(value: unknown): value is Rejected {
  return saidOutcome(value) === 'rejected'
}

function saidOutcome(value: unknown): unknown {
  return typeof value === 'object' && value !== null && outcome in value ? value[outcome] : undefined
}
