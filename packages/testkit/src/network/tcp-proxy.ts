// A proxy between a client and one server that can break the connection at a chosen place: in the middle of a
// request, after the request but before its answer, or by falling silent with the connection still open.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Break =
  /** Forwards this many bytes of the marked request, then cuts both sides. */
  | { readonly kind: 'cut-request'; readonly afterBytes: number }
  /** Forwards the marked request, waits until the server answers, swallows the answer and cuts both sides. */
  | { readonly kind: 'lose-answer' }
  /** Forwards the marked request and then nothing more in either direction, without closing anything. */
  | { readonly kind: 'go-silent' }

interface Link {
  readonly client: Socket
  readonly server: Socket
  /** Set once the marked request was seen on this link. */
  broken: Break['kind'] | null
}

export class TcpProxy {
  readonly host = '127.0.0.1'
  readonly #server: Server
  readonly #links = new Set<Link>()
  #armed: { readonly marker: string; readonly how: Break; readonly done: () => void } | null = null
  #silencesNew = false

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
    const server = createServer()
    const proxy = new TcpProxy(server)
    server.on('connection', (client) => proxy.#join(client, connect(target)))
    server.listen(0, proxy.host)
    await once(server, 'listening')
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed')
    return address.port
  }

  /** The next chunk from a client that holds the marker is broken this way, once; resolves when that has happened. */
  breakAt(marker: string, how: Break): Promise<void> {
    return new Promise((done) => {
      this.#armed = { marker, how, done }
    })
  }

  /** Whoever connects from now on is not answered either, until all are cut. */
  silenceNew(): void {
    this.#silencesNew = true
  }

  /** Cuts every connection; new ones are let through. */
  cutAll(): void {
    this.#silencesNew = false
    for (const link of this.#links) this.#cut(link)
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cutAll()
    await once(this.#server, 'close')
  }

  #join(client: Socket, server: Socket): void {
    const link: Link = { client, server, broken: this.#silencesNew ? 'go-silent' : null }
    this.#links.add(link)
    client.on('data', (chunk) => this.#fromClient(link, chunk))
    server.on('data', (chunk) => this.#fromServer(link, chunk))
    for (const socket of [client, server]) {
      // A reset is what this proxy is for; `close` follows and does the rest.
      socket.on('error', () => undefined)
      socket.on('close', () => this.#cut(link))
    }
  }

  #fromClient(link: Link, chunk: Buffer): void {
    if (link.broken) return
    const armed = this.#armed
    if (!armed || !chunk.includes(armed.marker)) {
      link.server.write(chunk)
      return
    }
    this.#armed = null
    link.broken = armed.how.kind
    armed.done()
    if (armed.how.kind === 'cut-request') {
      // `end` flushes what was written, so the server does receive these bytes before the connection closes.
      link.server.end(chunk.subarray(0, armed.how.afterBytes))
      link.client.destroy()
    } else {
      link.server.write(chunk)
    }
  }

  #fromServer(link: Link, chunk: Buffer): void {
    if (link.broken === null) link.client.write(chunk)
    else if (link.broken === 'lose-answer') this.#cut(link)
  }

  #cut(link: Link): void {
    this.#links.delete(link)
    link.client.destroy()
    // A request whose beginning was sent on must arrive before the end of the connection does.
    if (link.broken === 'cut-request') link.server.end()
    else link.server.destroy()
  }
}
