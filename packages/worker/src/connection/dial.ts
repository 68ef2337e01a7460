// The way to a server: one connection, on which the credential is shown at every connect.

import type { Problem } from '@millrace/protocol'
import { io, type Socket } from 'socket.io-client'
import { WorkerError } from '../worker-error.ts'

export type Token = string | (() => string | Promise<string>)

/** The first tries come fast, because a worker that is back within the grace period keeps its jobs. */
export const reconnectMs = { first: 250, last: 5_000 } as const

/** Not connected yet. `trouble` hears of a token that could not be fetched: the server then says what it misses. */
export function dial(url: string, token: Token | undefined, trouble: (error: WorkerError) => void): Socket {
  const { origin, pathname } = new URL(url)
  return io(origin, {
    // Behind a proxy the server may have a folder of its own; left in the address it would name a namespace.
    path: `${pathname.replace(/\/$/, '')}/socket.io/`,
    autoConnect: false,
    forceNew: true,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: reconnectMs.first,
    reconnectionDelayMax: reconnectMs.last,
    auth: (answer) => void authenticate(token, trouble).then(answer),
  })
}

/** What a server that refuses a connection says; null where none was reached. */
export function problemIn(error: Error & { readonly data?: unknown }): Problem | null {
  const { data } = error
  if (typeof data !== 'object' || data === null) return null
  return 'code' in data && 'status' in data && 'detail' in data ? (data as Problem) : null
}

async function authenticate(
  token: Token | undefined,
  trouble: (error: WorkerError) => void,
): Promise<{ readonly token?: string }> {
  try {
    const current = typeof token === 'function' ? await token() : token
    return current === undefined ? {} : { token: current }
  } catch (cause) {
    trouble(new WorkerError('The function that fetches the token failed.', { cause }))
    return {}
  }
}
