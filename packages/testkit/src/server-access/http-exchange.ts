// One HTTP request exactly as it is given, with whatever headers, bodies and addresses a library would not send.

import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  /** Several parts go as chunks. */
  readonly body?: readonly (string | Buffer)[]
}

export interface Received {
  /** 0: the server closed the connection without an answer, as it may with what it does not want to read. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export class HttpExchange {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })

  constructor(url: string) {
    this.#url = new URL(url)
  }

  send({ method, path, headers = {}, body = [] }: Sent): Promise<Received> {
    const { hostname: host, port } = this.#url
    return new Promise((resolve) => {
      const asked = request({ host, port, method, path, headers, agent: this.#agent }, (reply) => {
        const parts: Buffer[] = []
        const answered = (): void =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(parts).toString(),
          })
        reply
          .on('data', (part: Buffer) => parts.push(part))
          .once('end', answered)
          .once('error', answered)
      })
      asked.once('error', () => resolve({ status: 0, headers: {}, text: '' }))
      const [only, ...more] = body
      if (more.length === 0) asked.end(only)
      else {
        for (const part of body) asked.write(part)
        asked.end()
      }
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Encodes whatever a string can hold, half characters too, which encodeURIComponent refuses. */
export function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`))
    .join('')
}

function isPlain(byte: number): boolean {
  return /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte))
}
