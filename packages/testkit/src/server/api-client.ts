// Speaks to a server over real HTTP and real sockets as one user would.

import { io, type Socket } from 'socket.io-client'

export interface ApiAnswer<Body = unknown> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

export class ApiClient {
  readonly url: string
  readonly token: string | null
  readonly #sockets: Socket[] = []

  constructor(url: string, token: string | null) {
    this.url = url
    this.token = token
  }

  async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<ApiAnswer<Body>> {
    const reply = await fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json') === true && text !== ''
    return { status: reply.status, body: (isJson ? JSON.parse(text) : text) as Body, headers: reply.headers }
  }

  /** The body of an answer that has to have this status. */
  async expect<Body = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body> {
    const answer = await this.call<Body>(method, path, body)
    if (answer.status !== status) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    return answer.body
  }

  /** A socket that is connected; a refused one rejects with the server's problem. */
  socket(): Promise<Socket> {
    const socket = io(this.url, {
      auth: { token: this.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    })
    this.#sockets.push(socket)
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(socket))
      socket.once('connect_error', reject)
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }
}

/** The next message of this event, past what has been heard before. */
export function heard<Payload>(
  socket: Socket,
  event: string,
  accept: (payload: Payload) => boolean = () => true,
): Promise<Payload> {
  return new Promise((resolve) => {
    const listen = (payload: Payload): void => {
      if (!accept(payload)) return
      socket.off(event, listen)
      resolve(payload)
    }
    socket.on(event, listen)
  })
}
