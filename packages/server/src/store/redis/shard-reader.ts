// Reads one shard's log over a connection of its own, because a blocking read holds the connection up. After every
// reconnect it looks at the server again before it reads on.

import type { FeedEvent } from '../../ports/store.ts'
import { readLogText } from '../log-text.ts'
import { type RedisClient, runScript } from './redis-connection.ts'
import { logKeptMs } from './write-args.ts'

export interface ShardPosition {
  /** The id of the last log entry read. */
  readonly id: string
  /** The replication id of the server it was read from, shortened. */
  readonly server: string
}

export interface ShardEnd {
  readonly position: ShardPosition
  readonly everTrimmed: boolean
}

export interface LogEntry {
  readonly partition: string
  readonly revision: number
  readonly at: number
  readonly events: readonly FeedEvent[]
}

interface Read {
  readonly reset?: ShardPosition
  readonly entries: readonly { readonly id: string; readonly entry: LogEntry }[]
}

// Shorter than the connection's patience with silence, so that an idle log is not taken for a dead server.
const blockMs = 2_000
const entriesAtOnce = 500
const pauseMs = 100

/** Whether a position can no longer be read on from: of another server, past the end, or trimmed away. */
export function isBehind(wanted: ShardPosition | undefined, end: ShardEnd, now: number): boolean {
  if (!wanted || wanted.server !== end.position.server) return true
  if (wanted.id === end.position.id) return false
  if (compareIds(wanted.id, end.position.id) > 0) return true
  return end.everTrimmed && instantOf(wanted.id) < now - logKeptMs
}

export class ShardReader {
  readonly #client: RedisClient
  readonly #log: string
  #closed = false
  #reconnected = false
  #resume: (() => void) | null = null

  constructor(client: RedisClient, log: string) {
    this.#client = client
    this.#log = log
    client.on('error', () => undefined)
    client.on('close', () => {
      this.#reconnected = true
    })
  }

  /** Where the log ends now; waits for the connection as long as it takes. */
  async end(): Promise<ShardEnd> {
    for (;;) {
      try {
        const reply = await runScript(this.#client, 'millraceLogEnd', [this.#log])
        const [server, id, length, added] = reply as [string, string, number, number]
        this.#reconnected = false
        return { position: { id, server: server.slice(0, 12) }, everTrimmed: added > length }
      } catch (fault) {
        if (this.#closed) throw fault
        await this.#pause()
      }
    }
  }

  /** What comes after a position; null when the reader was closed meanwhile. */
  async read(position: ShardPosition): Promise<Read | null> {
    while (!this.#closed) {
      try {
        if (this.#reconnected) {
          const end = await this.end()
          if (isBehind(position, end, Number.NEGATIVE_INFINITY)) return { reset: end.position, entries: [] }
        }
        const args = ['COUNT', entriesAtOnce, 'BLOCK', blockMs, 'STREAMS', this.#log, position.id] as const
        const reply = (await this.#client.xread(...args)) as unknown as StreamReply
        const entries = streamEntries(reply, this.#log)
        if (entries.length > 0)
          return { entries: entries.map(([id, fields]) => ({ id, entry: toEntry(id, fields) })) }
      } catch {
        if (!this.#closed) await this.#pause()
      }
    }
    return null
  }

  close(): void {
    this.#closed = true
    this.#client.disconnect()
    this.#resume?.()
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

type StreamFields = readonly string[]
type StreamReply =
  | null
  | readonly (readonly [string, readonly (readonly [string, StreamFields])[]])[]
  | Record<string, readonly (readonly [string, StreamFields])[]>

function streamEntries(reply: StreamReply, log: string): readonly (readonly [string, StreamFields])[] {
  if (reply === null) return []
  if (Array.isArray(reply)) return reply[0]?.[1] ?? []
  return (reply as Record<string, readonly (readonly [string, StreamFields])[]>)[log] ?? []
}

function toEntry(id: string, fields: StreamFields): LogEntry {
  const field = (name: string): string => fields[fields.indexOf(name) + 1] ?? ''
  return {
    partition: field('p'),
    revision: Number(field('r')),
    at: instantOf(id),
    events: readLogText(field('k'), field('e'), Number(field('s'))),
  }
}

function instantOf(id: string): number {
  return Number(id.split('-')[0])
}

function compareIds(a: string, b: string): number {
  const [aMs = 0, aSeq = 0] = a.split('-').map(Number)
  const [bMs = 0, bSeq = 0] = b.split('-').map(Number)
  return aMs - bMs || aSeq - bSeq
}
