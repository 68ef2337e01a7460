// What a pool says to the process that looks after it. The answer to the question is the token itself.

export const tokenPlease = 'token?'

/** It has registered, as this worker. */
export interface PoolReady {
  readonly ready: string
}

export type PoolMessage = typeof tokenPlease | PoolReady
