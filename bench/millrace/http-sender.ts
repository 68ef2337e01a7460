// Posts JSON over a fixed number of connections that stay open. `fetch` costs several times as much, and here the client
// shares its cores with what is measured.

import { Agent, request } from 'node:http'

export class HttpSender {
  readonly #agent: Agent
  readonly #url: URL
  readonly #token: string

  constructor(url: string, token: string, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#url = new URL(url)
    this.#token = token
  }

  /** Resolves when the whole answer is here; rejects when its status is another. */
  post(path: string, body: string, status: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${this.#token}`,
      }
      const sent = request({ agent: this.#agent, hostname, port, path, method: 'POST', headers }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => {
          if (reply.statusCode === status) resolve()
          else reject(new Error(`${path} answered ${reply.statusCode}: ${Buffer.concat(chunks).toString()}`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
