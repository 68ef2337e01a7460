// Looks at the text of a packet before the library parses it. What it throws ends the connection and nothing else.

import type { Server } from 'socket.io'
import { jsonShapeRefusal } from '../limits/json-shape.ts'

type Parser = Server['_parser']

/** For connections that are opened from now on. The wire stays that of the library's own parser. */
export function guardDecoder(io: Server): void {
  const holder = io as { -readonly [Key in keyof Pick<Server, '_parser'>]: Parser }
  const parser = io._parser
  class GuardedDecoder extends parser.Decoder {
    override add(packet: unknown): void {
      const refusal = typeof packet === 'string' ? jsonShapeRefusal(packet) : null
      if (refusal) throw new Error(refusal.message)
      super.add(packet)
    }
  }
  holder._parser = { ...parser, Decoder: GuardedDecoder }
}
