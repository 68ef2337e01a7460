// HTTP as bytes on a connection: what no client would send, as slowly or as fast as one likes.

import { connect, type Socket } from 'node:net'

const statusLength = 'HTTP/1.1 200 '.length

export class RawHttp {
  readonly #tcp: Socket
  readonly #parts: string[] = []
  readonly statuses: number[] = []
  readonly closed: Promise<string>
  #wake: (() => void)[] = []
  isClosed = false
  #rest = ''

  constructor(url: string) {
    const { hostname: host, port } = new URL(url)
    this.#tcp = connect({ host, port: Number(port) })
    this.#tcp.on('error', () => undefined)
    this.#tcp.on('data', (chunk) => {
      this.#hear(chunk.toString('latin1'))
      this.#awaken()
    })
    this.closed = new Promise((resolve) => {
      this.#tcp.once('close', () => {
        this.isClosed = true
        this.#awaken()
        resolve(this.text)
      })
    })
  }

  get text(): string {
    return this.#parts.join('')
  }

  write(bytes: string | Buffer): void {
    if (!this.isClosed) this.#tcp.write(bytes)
  }

  /** What was answered, when so many answers have come or the server has closed the connection. */
  async answers(count: number): Promise<readonly number[]> {
    while (this.statuses.length < count && !this.isClosed) {
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
    return this.statuses
  }

  close(): void {
    this.#tcp.destroy()
  }

  #hear(text: string): void {
    this.#parts.push(text)
    this.#rest += text
    let end = 0
    for (const found of this.#rest.matchAll(/HTTP\/1\.1 (\d+) /g)) {
      this.statuses.push(Number(found[1]))
      end = found.index + found[0].length
    }
    // A status line may be cut in two.
    this.#rest = this.#rest.slice(Math.max(end, this.#rest.length - statusLength))
  }

  #awaken(): void {
    for (const resolve of this.#wake.splice(0)) resolve()
  }
}
