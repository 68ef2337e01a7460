// The lines a job logged, in a ring of records: the newest are kept, older ones make room. Reading one job's log costs a
// fixed number of keys; a line that is appended reads and rewrites one small record and not the others, which may hold
// megabytes.

import {
  type AttemptToken,
  type HeardLines,
  hearLines,
  type JobId,
  type Refusal,
  refuse,
} from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'
import { jobKey, jobOfRecord } from './job-record.ts'

export interface LoggedLine {
  readonly number: number
  readonly at: number
  readonly text: string
}

/** Lines as a worker sends them. */
export interface SaidLines {
  readonly lines: readonly string[]
  /** The number of the first, counted by the worker from 0 within the attempt; without it none is known again. */
  readonly first?: number
}

export interface LogLimits {
  readonly linesKept: number
  readonly lineMaxBytes: number
}

export interface JobLog {
  readonly lines: readonly LoggedLine[]
  /** Lines that were logged and are not kept any more. */
  readonly dropped: number
}

const jobLogged = 'job:log'

/** Records of a ring. More make appending cheaper and reading dearer. */
const ringSize = 16

const keyAt = (id: JobId, place: number): RecordKey => `log/${id}/${place}`

/** The number of the next line; its head names the lines of the last attempt that were heard. */
const nextKey = (id: JobId): RecordKey => `log/${id}/next`

/** Everything that is kept of a job's log. */
export function logKeys(id: JobId): readonly RecordKey[] {
  return [...ringKeys(id), nextKey(id)]
}

function ringKeys(id: JobId): readonly RecordKey[] {
  return Array.from({ length: ringSize }, (_, place) => keyAt(id, place))
}

/**
 * Fenced like every write by a worker: the attempt has to be the current one in the same commit. Lines that were heard
 * are passed over; where all of them were, that is the answer, also when the attempt has ended since.
 */
export async function appendLog(
  store: Store,
  room: string,
  id: JobId,
  token: AttemptToken,
  said: SaidLines,
  limits: LogLimits,
): Promise<readonly LoggedLine[] | Refusal> {
  for (;;) {
    const [jobRecord, next] = await store.read(room, [jobKey(id), nextKey(id)])
    if (!jobRecord) return refuse('job_not_found')
    const { texts, head } = newOf(said, token, next)
    if (texts.length === 0) return []
    if (jobOfRecord(jobRecord).attempt?.token !== token) return refuse('attempt_superseded')

    const now = store.now()
    const first = next ? Number(next.body) : 0
    const lines = texts.map((text, n) => ({ number: first + n, at: now, text: shorten(text, limits) }))
    const perChunk = Math.max(1, Math.ceil(limits.linesKept / ringSize))
    const places = [...new Set(lines.map(({ number }) => placeOf(number, perChunk)))]
    const ring = await store.read(
      room,
      places.map((place) => keyAt(id, place)),
    )
    const chunks = new Map(places.map((place, at) => [place, chunkOf(ring[at] ?? null, place)]))
    const put = fill(chunks, lines, perChunk).map(({ place, version, lines: kept }) => ({
      key: keyAt(id, place),
      expect: version,
      head: '',
      body: JSON.stringify(kept),
    }))

    const outcome = await store.commit({
      id: newId(now),
      partition: room,
      expect: { [jobRecord.key]: jobRecord.version },
      put: [
        ...put,
        { key: nextKey(id), expect: next?.version ?? 0, head, body: String(first + lines.length) },
      ],
      announce: [{ subject: jobKey(id), event: JSON.stringify({ type: jobLogged, lines }) }],
    })
    if (outcome.outcome === 'committed') return lines
  }
}

/** What is new of it, and what will have been heard when that is written. */
function newOf(
  { lines, first }: SaidLines,
  token: AttemptToken,
  next: StoredRecord | null | undefined,
): { readonly texts: readonly string[]; readonly head: string } {
  const head = next?.head ?? ''
  if (first === undefined) return { texts: lines, head }
  const before = head === '' ? null : (JSON.parse(head) as HeardLines)
  const { fresh, heard } = hearLines(before, token, first, lines.length)
  return { texts: fresh.map((at) => lines[at] ?? ''), head: JSON.stringify(heard) }
}

export async function readLog(store: Store, room: string, id: JobId, after: number): Promise<JobLog> {
  const ring = await store.read(room, ringKeys(id))
  const lines = ring
    .flatMap((record, place) => chunkOf(record, place).lines)
    .toSorted((a, b) => a.number - b.number)
  return { lines: lines.filter(({ number }) => number > after), dropped: lines[0]?.number ?? 0 }
}

interface Chunk {
  readonly place: number
  readonly version: number
  readonly lines: readonly LoggedLine[]
}

function chunkOf(record: StoredRecord | null, place: number): Chunk {
  return {
    place,
    version: record?.version ?? 0,
    lines: record ? (JSON.parse(record.body) as LoggedLine[]) : [],
  }
}

function placeOf(number: number, perChunk: number): number {
  return Math.floor(number / perChunk) % ringSize
}

/** Lines go where their number says; a chunk that begins anew drops what it held. */
function fill(
  chunks: ReadonlyMap<number, Chunk>,
  lines: readonly LoggedLine[],
  perChunk: number,
): readonly Chunk[] {
  const changed = new Map(chunks)
  for (const line of lines) {
    const place = placeOf(line.number, perChunk)
    const chunk = changed.get(place) as Chunk
    const round = Math.floor(line.number / perChunk)
    const kept = chunk.lines.filter(({ number }) => Math.floor(number / perChunk) === round)
    changed.set(place, { ...chunk, lines: [...kept, line] })
  }
  return [...changed.values()]
}

const encoder = new TextEncoder()
const cutMark = ' …'

/** Never in the middle of a character. */
function shorten(text: string, { lineMaxBytes }: LogLimits): string {
  if (text.length * 3 <= lineMaxBytes || Buffer.byteLength(text) <= lineMaxBytes) return text
  const room = new Uint8Array(Math.max(0, lineMaxBytes - Buffer.byteLength(cutMark)))
  return text.slice(0, encoder.encodeInto(text, room).read) + cutMark
}
