// How a job may be retried, how long it may take, and what happens when its worker is lost. Defaults stand here once;
// an extension overrides them, a job overrides its extension, and every override is checked against the limits.

export interface JobPolicy {
  readonly maxAttempts: number
  readonly backoffBaseMs: number
  readonly backoffCapMs: number
  readonly acceptMs: number
  readonly runLimitMs: number
  readonly cancelGraceMs: number
  readonly onWorkerLost: 'requeue' | 'fail'
  readonly retentionMs: number
  readonly deadLetterRetentionMs: number
}
