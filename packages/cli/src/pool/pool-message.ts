// What a pool says to the process that looks after it. The answer to the question is the token itself.

export const tokenPlease = 'token?'
export const poolReady = 'ready'

export type PoolMessage = typeof tokenPlease | typeof poolReady
