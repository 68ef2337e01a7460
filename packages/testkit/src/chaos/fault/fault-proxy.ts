// A proxy on one link of the cluster. It can cut what is connected, hold back what goes in one direction or both with
// the connections still open, let go of one end without telling the other, and be slow.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Direction = 'to-server' | 'to-client'

interface Pipe {
  readonly from: Socket
  readonly to: Socket
  readonly direction: Direction
  /** In order; null is the end of the connection, which travels like everything else. */
  readonly queue: { readonly chunk: Buffer | null; readonly at: number }[]
  timer: NodeJS.Timeout | null
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  readonly pipes: readonly Pipe[]
  /** One end was let go of; the other is not told before the link heals. */
  abandoned: boolean
}

export class FaultProxy {
  readonly #listener: Server
  readonly #ports: readonly number[]
  readonly #links = new Set<Link>()
  readonly #silent = new Set<Direction>()
  #delayMs = 0
  /** Which of the ports is led to; the next one as soon as nobody answers there. */
  #current = 0

  private constructor(listener: Server, ports: readonly number[]) {
    this.#listener = listener
    this.#ports = ports
  }

  /** Leads to the first of these ports of this machine, to the next when nobody listens there, and so on around. */
  static async start(ports: readonly number[], first = 0): Promise<FaultProxy> {
    const listener = createServer()
    const proxy = new FaultProxy(listener, ports)
    proxy.#current = first % ports.length
    listener.on('connection', (client) => proxy.#join(client))
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    return proxy
  }

  get port(): number {
    const address = this.#listener.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed')
    return address.port
  }

  /** What was under way on its connections is lost; new ones are let through. */
  cut(): void {
    for (const link of [...this.#links]) this.#drop(link)
  }

  /** Nothing more arrives in these directions, not even the end of a connection, until the link heals. */
  silence(directions: readonly Direction[]): void {
    for (const direction of directions) this.#silent.add(direction)
  }

  /** One end of every connection is gone, and the other believes that it is still there. */
  abandon(end: 'server' | 'client'): void {
    for (const link of this.#links) {
      link.abandoned = true
      link[end].destroy()
    }
  }

  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  heal(): void {
    this.#silent.clear()
    this.#delayMs = 0
    for (const link of [...this.#links]) {
      if (link.abandoned) this.#drop(link)
      else for (const pipe of link.pipes) this.#flow(pipe)
    }
  }

  async close(): Promise<void> {
    this.#listener.close()
    this.cut()
    await once(this.#listener, 'close')
  }

  #join(client: Socket): void {
    const port = this.#ports[this.#current] as number
    const server = connect({ host: '127.0.0.1', port })
    server.once('error', () => {
      if (this.#ports[this.#current] === port) this.#current = (this.#current + 1) % this.#ports.length
    })
    for (const socket of [client, server]) socket.setNoDelay(true)
    const pipes = [pipe(client, server, 'to-server'), pipe(server, client, 'to-client')]
    const link: Link = { client, server, pipes, abandoned: false }
    this.#links.add(link)
    for (const each of pipes) {
      each.from.on('data', (chunk: Buffer) => this.#push(each, chunk))
      each.from.on('close', () => this.#push(each, null))
      // A reset is what this proxy is for; `close` follows and does the rest.
      each.from.on('error', () => undefined)
    }
    server.on('close', () => this.#forget(link))
    client.on('close', () => this.#forget(link))
  }

  #push(pipe: Pipe, chunk: Buffer | null): void {
    pipe.queue.push({ chunk, at: performance.now() + this.#delayMs })
    this.#flow(pipe)
  }

  #flow(pipe: Pipe): void {
    if (pipe.timer) return
    for (let head = pipe.queue[0]; head !== undefined; head = pipe.queue[0]) {
      if (this.#silent.has(pipe.direction) || this.#isAbandoned(pipe)) return
      const waitMs = head.at - performance.now()
      if (waitMs > 0) {
        pipe.timer = setTimeout(() => {
          pipe.timer = null
          this.#flow(pipe)
        }, waitMs)
        return
      }
      pipe.queue.shift()
      if (head.chunk === null) pipe.to.destroySoon()
      else pipe.to.write(head.chunk)
    }
  }

  #isAbandoned(pipe: Pipe): boolean {
    return [...this.#links].some((link) => link.abandoned && link.pipes.includes(pipe))
  }

  #forget(link: Link): void {
    if (link.client.destroyed && link.server.destroyed) this.#drop(link)
  }

  #drop(link: Link): void {
    this.#links.delete(link)
    for (const { timer, queue } of link.pipes) {
      if (timer) clearTimeout(timer)
      queue.length = 0
    }
    link.client.destroy()
    link.server.destroy()
  }
}

function pipe(from: Socket, to: Socket, direction: Direction): Pipe {
  return { from, to, direction, queue: [], timer: null }
}
