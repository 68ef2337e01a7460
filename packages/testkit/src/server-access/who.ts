// Everybody who may come to the door. The matrix has a row for each of them, on every route and every event.

export const everybody = [
  'nobody',
  'forger',
  'latecomer',
  'guest',
  'user',
  'member',
  'viewer',
  'owner',
  'elsewhere',
  'admin',
  'worker',
  'strayWorker',
  'pool',
] as const

/**
 * `forger` brings a token that was never ours and `latecomer` one that has expired; `user` has an account and belongs to
 * no room; `elsewhere` belongs to another private room. `worker` is a token for this room that the member made, and
 * `strayWorker` a token that the same member made for another room. `pool` is a token that the admin made for a pool.
 */
export type Who = (typeof everybody)[number]

export const kindsOfRoom = ['open', 'private'] as const

export type KindOfRoom = (typeof kindsOfRoom)[number]

/** Those to whom a private room does not exist. */
export const strangers: readonly Who[] = ['guest', 'user', 'elsewhere', 'strayWorker']
