// Looks at the text of a packet before the library parses it. What it throws ends the connection and nothing else.

import type { Server } from 'socket.io'
import { jsonShapeRefusal } from '../limits/json-shape.ts'

type Parser = Server['_parser']

/** What the library puts together of several packets. No event takes any; one that was sent by mistake is told so. */
const binaryKind = /^[56]/
const binaryMaxLength = 10_000
/** There is one namespace, without a name. Who asks for another by mistake is told so; this often it is none. */
const namedKind = /^\d\//
const namedAtMost = 20

/** For connections that are opened from now on. The wire stays that of the library's own parser. */
export function guardDecoder(io: Server): void {
  const holder = io as { -readonly [Key in keyof Pick<Server, '_parser'>]: Parser }
  const parser = io._parser
  class GuardedDecoder extends parser.Decoder {
    #named = 0

    override add(packet: unknown): void {
      if (typeof packet === 'string' && namedKind.test(packet)) this.#named += 1
      if (this.#named > namedAtMost) throw new Error('There are no namespaces.')
      const refusal = typeof packet === 'string' ? jsonShapeRefusal(packet) : null
      if (typeof packet === 'string' && packet.length > binaryMaxLength && binaryKind.test(packet))
        throw new Error('No event takes that much binary data.')
      if (refusal) throw new Error(refusal.message)
      super.add(packet)
    }
  }
  holder._parser = { ...parser, Decoder: GuardedDecoder }
}

interface Transport {
  readonly name: string
  parser: { readonly decodePayload: (payload: unknown) => readonly object[] }
}

/** A client that polls sends together what has gathered since it last did; this many were gathered to do harm. */
const payloadMaxPackets = 500
const separator = '\u001e'

/** Those of one body are all decoded in one go. What has too many ends the connection, like what cannot be decoded. */
export function guardPayloads(io: Server): void {
  io.engine.on('connection', ({ transport }: { readonly transport: Transport }) => {
    if (transport.name !== 'polling') return
    const { parser } = transport
    const decodePayload = (payload: unknown): readonly object[] =>
      String(payload).split(separator, payloadMaxPackets + 1).length > payloadMaxPackets
        ? [{ type: 'error', data: 'parser error' }]
        : parser.decodePayload(payload)
    transport.parser = { ...parser, decodePayload }
  })
}
