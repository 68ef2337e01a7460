// Reads one shard's log over a connection of its own, because a blocking read holds the connection up. After every
// reconnect it looks at the server again before it reads on. Entries are numbered without gaps, so a reader that was
// slower than the log was trimmed knows by the next number that it missed some, however long it was away.

import type { FeedEvent } from '../../ports/store.ts'
import { readLogText } from '../log-text.ts'
import type { ShardKeys } from './keys.ts'
import { type RedisClient, refusalOf, runScript } from './redis-connection.ts'

export interface ShardPosition {
  /** The id of the last log entry read. */
  readonly id: string
  /** Its number among all entries the log ever had. */
  readonly number: number
  /** The replication id of the server it was read from, shortened. */
  readonly server: string
}

export interface ShardEnd {
  readonly position: ShardPosition
  /** How many entries were trimmed: the number of the newest that is gone. */
  readonly trimmed: number
}

export interface LogEntry {
  readonly partition: string
  readonly revision: number
  readonly at: number
  readonly events: readonly FeedEvent[]
}

interface Read {
  readonly reset?: ShardPosition
  readonly entries: readonly NumberedEntry[]
}

interface NumberedEntry {
  readonly id: string
  readonly number: number
  readonly entry: LogEntry
}

// Shorter than the connection's patience with silence, so that an idle log is not taken for a dead server. Not the same for
// all: sixteen readers that began together also ended together, and whoever came just then waited for all of them.
const blockMs = { least: 2_000, most: 3_400 } as const
const entriesAtOnce = 500
const pauseMs = 100

/** Whether a position cannot be read on from: of another server, past the end, or with entries after it trimmed. */
export function isBehind(wanted: ShardPosition | undefined, end: ShardEnd): boolean {
  if (!wanted || wanted.server !== end.position.server) return true
  return compareIds(wanted.id, end.position.id) > 0 || wanted.number < end.trimmed
}

export class ShardReader {
  readonly #client: RedisClient
  readonly #keys: Pick<ShardKeys, 'log' | 'logged'>
  readonly #blockMs = blockMs.least + Math.floor(Math.random() * (blockMs.most - blockMs.least))
  #closed = false
  #refusal: Error | null = null
  #reconnected = false
  #resume: (() => void) | null = null

  constructor(client: RedisClient, keys: Pick<ShardKeys, 'log' | 'logged'>) {
    this.#client = client
    this.#keys = keys
    // A refused password is told by this event alone: commands only learn that there is no connection.
    client.on('error', (fault) => {
      this.#refusal ??= refusalOf(fault)
    })
    client.on('close', () => {
      this.#reconnected = true
    })
  }

  /** Where the log ends now; waits for the connection as long as it takes, unless the server refuses. */
  async end(): Promise<ShardEnd> {
    for (;;) {
      try {
        const reply = await runScript(this.#client, 'millraceLogEnd', [this.#keys.log, this.#keys.logged])
        const [server, id, kept, number] = reply as [string, string, number, number]
        this.#reconnected = false
        return { position: { id, number, server: server.slice(0, 12) }, trimmed: number - kept }
      } catch (fault) {
        if (this.#closed) throw fault
        await this.#outlast(fault)
      }
    }
  }

  /** What comes after a position; null when the reader was closed meanwhile. */
  async read(position: ShardPosition): Promise<Read | null> {
    while (!this.#closed) {
      try {
        if (this.#reconnected) {
          const end = await this.end()
          if (isBehind(position, end)) return { reset: end.position, entries: [] }
        }
        const entries = await this.#entriesAfter(position)
        const [first] = entries
        if (first && first.number !== position.number + 1)
          return { reset: (await this.end()).position, entries: [] }
        if (first) return { entries }
      } catch (fault) {
        if (!this.#closed) await this.#outlast(fault)
      }
    }
    return null
  }

  close(): void {
    this.#closed = true
    this.#client.disconnect()
    this.#resume?.()
  }

  async #entriesAfter({ id }: ShardPosition): Promise<NumberedEntry[]> {
    const { log } = this.#keys
    const args = ['COUNT', entriesAtOnce, 'BLOCK', this.#blockMs, 'STREAMS', log, id] as const
    const reply = (await this.#client.xread(...args)) as unknown as StreamReply
    return streamEntries(reply, log).map(([entryId, fields]) => toEntry(entryId, fields))
  }

  async #outlast(fault: unknown): Promise<void> {
    const refusal = this.#refusal ?? refusalOf(fault)
    if (refusal) throw refusal
    await this.#pause()
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

function toEntry(id: string, fields: StreamFields): NumberedEntry {
  // Names stand at even places only: a text that happens to be a field's name must not be taken for it.
  const field = (name: string): string =>
    fields[fields.findIndex((text, at) => at % 2 === 0 && text === name) + 1] ?? ''
  const entry = {
    partition: field('p'),
    revision: Number(field('r')),
    at: instantOf(id),
    events: readLogText(field('k'), field('e'), Number(field('s'))),
  }
  return { id, number: Number(field('n')), entry }
}

function instantOf(id: string): number {
  return Number(id.split('-')[0])
}

function compareIds(a: string, b: string): number {
  const [aMs = 0, aSeq = 0] = a.split('-').map(Number)
  const [bMs = 0, bSeq = 0] = b.split('-').map(Number)
  return aMs - bMs || aSeq - bSeq
}
