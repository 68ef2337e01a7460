// JSON that is text already. What the log keeps as text reaches sockets as text: reading it into objects only to write
// them again was most of what a listener cost. The encoder leaves out the library's search for binary data as well, which
// walks through everything that is said: no event of ours has any. The wire stays that of the library's own parser.

import type { Server } from 'socket.io'

export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** For whoever does not know it by its class. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

interface Packet {
  readonly type: number
  readonly nsp: string
  readonly id?: number
  readonly data?: unknown
}

interface Encoder {
  encode(packet: Packet): string[]
  encodeAsString(packet: Packet): string
}

const eventType = 2

/** In place, because whoever speaks for the server holds the encoder by now. */
export function encodeTexts(io: Server): void {
  const encoder = io.encoder as unknown as Encoder
  encoder.encode = (packet) => [textOf(packet) ?? encoder.encodeAsString(packet)]
}

function textOf({ type, nsp, id, data }: Packet): string | null {
  if (type !== eventType || nsp !== '/' || id !== undefined || !Array.isArray(data)) return null
  const [event, said] = data as readonly unknown[]
  return data.length === 2 && said instanceof JsonText ? `2[${JSON.stringify(event)},${said.text}]` : null
}
