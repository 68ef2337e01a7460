// Cuts connections that do not read. What is told to a room waits in memory for each of its sockets; one whose line stands
// still would gather all of it. It comes back, sees the gap in the numbers, and asks anew.

import type { Server } from 'socket.io'

const lookEveryMs = 1_000
/** So far above the limit nobody waits for a second look. */
const farAbove = 4

export interface Line {
  readonly writeBuffer: readonly { readonly data?: unknown }[]
  readonly transport: { readonly socket?: { readonly bufferedAmount?: number; terminate?(): void } }
  close(discard: boolean): void
}

export class SlowReaders {
  readonly #io: Server
  readonly #maxBytes: number
  readonly #warn: (message: string) => void
  readonly #timer: NodeJS.Timeout
  /** What waited at the last look, of lines above the limit. */
  #above = new Map<Line, number>()

  constructor(io: Server, maxBytes: number, warn: (message: string) => void) {
    this.#io = io
    this.#maxBytes = maxBytes
    this.#warn = warn
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const above = new Map<Line, number>()
    const { clients } = this.#io.engine as unknown as { clients: Record<string, Line> }
    for (const line of Object.values(clients)) {
      const bytes = waitingBytes(line)
      if (bytes <= this.#maxBytes) continue
      const before = this.#above.get(line)
      if (bytes > farAbove * this.#maxBytes || (before !== undefined && bytes >= before))
        this.#cut(line, bytes)
      else above.set(line, bytes)
    }
    this.#above = above
  }

  #cut(line: Line, bytes: number): void {
    this.#warn(`a connection was cut that did not read: ${bytes} bytes waited for it`)
    // An orderly close would stand in line behind everything that is not read.
    line.transport.socket?.terminate?.()
    line.close(true)
  }
}

/** Counted until it is more than asked for: a long line is looked at often. */
export function waitingBytes(
  { writeBuffer, transport }: Line,
  enough: number = Number.POSITIVE_INFINITY,
): number {
  let bytes = transport.socket?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) {
    if (bytes > enough) break
    if (typeof data === 'string') bytes += data.length
  }
  return bytes
}
