// A socket of Engine.IO spoken by hand, frame by frame, so that every rule of the protocol can be broken and nothing is
// read when nothing shall be.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 } as const

export interface FrameOptions {
  readonly opcode?: keyof typeof opcodes | number
  /** The last of its message; usual. */
  readonly isLast?: boolean
  readonly isMasked?: boolean
}

export class RawSocket {
  /** Messages of text that came, whole frames only. */
  readonly heard: string[] = []
  readonly closed: Promise<void>
  isClosed = false
  /** Lets go when the server says that it will. */
  isPolite = true
  readonly #tcp: Socket
  #rest: Buffer = Buffer.alloc(0)
  #isOpen = false
  #wake: (() => void)[] = []

  private constructor(tcp: Socket) {
    this.#tcp = tcp
    this.closed = new Promise((resolve) => {
      tcp.once('close', () => {
        this.isClosed = true
        this.#awaken()
        resolve()
      })
    })
    tcp.on('error', () => undefined)
    tcp.on('data', (chunk) => this.#read(chunk))
  }

  /** Upgraded; the server has not been told who it is. `search` replaces what asks for a new session. */
  static async open(url: string, search = 'EIO=4&transport=websocket'): Promise<RawSocket> {
    const { hostname: host, port } = new URL(url)
    const raw = new RawSocket(connect({ host, port: Number(port) }))
    const key = randomBytes(16).toString('base64')
    raw.#tcp.write(
      [
        `GET /socket.io/?${search} HTTP/1.1`,
        `Host: ${host}:${port}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${key}`,
        '\r\n',
      ].join('\r\n'),
    )
    await raw.until(() => raw.#isOpen)
    return raw
  }

  /** Also known to the server. */
  static async signIn(url: string, token: string): Promise<RawSocket> {
    const raw = await RawSocket.open(url)
    await raw.enter(token)
    return raw
  }

  /** Says who it is, and is answered. */
  async enter(token: string): Promise<void> {
    this.say(`40${JSON.stringify({ token })}`)
    await this.until(() => this.heard.some((one) => one.startsWith('40') || one.startsWith('44')))
  }

  /** Resolves when it holds, or the connection is over. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.isClosed) await new Promise<void>((resolve) => this.#wake.push(resolve))
  }

  say(message: string | Buffer, options: FrameOptions = {}): void {
    const {
      opcode = typeof message === 'string' ? 'text' : 'binary',
      isLast = true,
      isMasked = true,
    } = options
    const code = typeof opcode === 'number' ? opcode : opcodes[opcode]
    const payload = Buffer.from(message)
    const head = Buffer.concat([
      Buffer.from([(isLast ? 0x80 : 0) | code]),
      lengthOf(payload.length, isMasked),
    ])
    // A mask of zeros leaves the payload as it is.
    this.raw(Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]))
  }

  /** In one piece, so that all of them are on their way before anything that is said elsewhere afterwards. */
  sayAll(messages: readonly string[]): void {
    this.#tcp.cork()
    for (const message of messages) this.say(message)
    this.#tcp.uncork()
  }

  raw(bytes: Buffer | string): void {
    if (!this.isClosed) this.#tcp.write(bytes)
  }

  stopReading(): void {
    this.#tcp.pause()
  }

  close(): void {
    this.#tcp.destroy()
  }

  #read(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    if (!this.#isOpen) this.#readHead()
    if (this.#isOpen) while (this.#readFrame());
    this.#awaken()
  }

  #readHead(): void {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end < 0) return
    this.#isOpen = this.#rest.subarray(0, end).includes(' 101 ')
    this.#rest = this.#rest.subarray(end + 4)
    if (!this.#isOpen) this.#tcp.destroy()
  }

  #readFrame(): boolean {
    const [first = 0, second = 0] = this.#rest
    if (this.#rest.length < 2) return false
    const short = second & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (this.#rest.length < head) return false
    const length =
      short === 126
        ? this.#rest.readUInt16BE(2)
        : short === 127
          ? Number(this.#rest.readBigUInt64BE(2))
          : short
    if (this.#rest.length < head + length) return false
    const payload = this.#rest.subarray(head, head + length)
    if ((first & 0x0f) === opcodes.text) this.#hear(payload.toString())
    // The server waits for the same word from here before it lets go.
    if ((first & 0x0f) === opcodes.close && this.isPolite) this.#tcp.destroy()
    this.#rest = this.#rest.subarray(head + length)
    return true
  }

  #hear(message: string): void {
    if (message === '2') this.say('3')
    else this.heard.push(message)
  }

  #awaken(): void {
    for (const resolve of this.#wake.splice(0)) resolve()
  }
}

function lengthOf(length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0
  if (length < 126) return Buffer.from([mask | length])
  if (length < 65_536) return Buffer.from([mask | 126, length >> 8, length & 0xff])
  const long = Buffer.alloc(9)
  long[0] = mask | 127
  long.writeBigUInt64BE(BigInt(length), 1)
  return long
}
