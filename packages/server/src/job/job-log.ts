// The lines a job logged, in a ring of records: the newest are kept, older ones make room. Reading one job's log costs a
// fixed number of keys, and a line that is appended rewrites one small record, not all of them.

import { type AttemptToken, type JobId, type Refusal, refuse, utf8Bytes } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'
import { jobKey, jobOfRecord } from './job-record.ts'

export interface LoggedLine {
  readonly number: number
  readonly at: number
  readonly text: string
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

export function logKeys(id: JobId): readonly RecordKey[] {
  return Array.from({ length: ringSize }, (_, place) => keyAt(id, place))
}

/** Fenced like every write by a worker: the attempt has to be the current one in the same commit. */
export async function appendLog(
  store: Store,
  room: string,
  id: JobId,
  token: AttemptToken,
  texts: readonly string[],
  limits: LogLimits,
): Promise<readonly LoggedLine[] | Refusal> {
  for (;;) {
    const [jobRecord, ...ring] = await store.read(room, [jobKey(id), ...logKeys(id)])
    if (!jobRecord) return refuse('job_not_found')
    if (jobOfRecord(jobRecord).attempt?.token !== token) return refuse('attempt_superseded')

    const chunks = ring.map(chunkOf)
    const now = store.now()
    const next = 1 + Math.max(-1, ...chunks.map(({ lines }) => lines.at(-1)?.number ?? -1))
    const lines = texts.map((text, n) => ({ number: next + n, at: now, text: shorten(text, limits) }))
    const changed = fill(chunks, lines, Math.max(1, Math.ceil(limits.linesKept / ringSize)))

    const outcome = await store.commit({
      id: newId(now),
      partition: room,
      expect: { [jobRecord.key]: jobRecord.version },
      put: changed.map(({ place, version, lines: kept }) => ({
        key: keyAt(id, place),
        expect: version,
        head: '',
        body: JSON.stringify(kept),
      })),
      announce: [{ subject: jobKey(id), event: JSON.stringify({ type: jobLogged, lines }) }],
    })
    if (outcome.outcome === 'committed') return lines
  }
}

export async function readLog(store: Store, room: string, id: JobId, after: number): Promise<JobLog> {
  const ring = await store.read(room, logKeys(id))
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

/** Lines go where their number says, so the ring needs no pointer: a chunk that begins anew drops what it held. */
function fill(chunks: readonly Chunk[], lines: readonly LoggedLine[], perChunk: number): readonly Chunk[] {
  const changed = new Map<number, Chunk>()
  for (const line of lines) {
    const place = Math.floor(line.number / perChunk) % ringSize
    const chunk = changed.get(place) ?? (chunks[place] as Chunk)
    const round = Math.floor(line.number / perChunk)
    const kept = chunk.lines.filter(({ number }) => Math.floor(number / perChunk) === round)
    changed.set(place, { ...chunk, lines: [...kept, line] })
  }
  return [...changed.values()]
}

function shorten(text: string, { lineMaxBytes }: LogLimits): string {
  if (text.length * 3 <= lineMaxBytes || utf8Bytes(text) <= lineMaxBytes) return text
  let end = Math.min(text.length, lineMaxBytes)
  while (utf8Bytes(text.slice(0, end)) > lineMaxBytes - 4) end = Math.floor(end * 0.9)
  return `${text.slice(0, end)} …`
}
