// A worker arrives, returns, or says what more it serves. Its record names its extensions before they name it, so that
// whatever happens in between, the end of its lease takes it out of them again.

import {
  type AttemptToken,
  type Caller,
  type Enrolment,
  enrolWorker,
  isRefusal,
  type Refusal,
  refuse,
  type SchemaHash,
  type Scope,
  type WorkerId,
} from '@millrace/domain'
import { type ChangedWorker, changeWorker, forgetWorker, type WorkerRecords } from './change-worker.ts'
import { type AttemptName, type ResumeParts, resumeWorker } from './resume-worker.ts'
import type { Channel, RunningAttempt } from './roster.ts'
import type { ChannelKind, Served, WorkerRecord } from './worker-record.ts'

export interface OfferedExtension {
  readonly room?: string
  readonly scope?: Scope
  readonly category: string
  readonly name: string
  readonly schema: Record<string, unknown>
  readonly policy?: Record<string, unknown>
}

/** What the extensions' own use-cases do for a worker. */
export interface ExtensionDesk {
  register(who: Caller, worker: WorkerId, offer: OfferedExtension): Promise<Served | Refusal>
  withdraw(worker: WorkerId, served: Served): Promise<void>
}

export interface ArrivalParts extends WorkerRecords, ResumeParts {
  readonly extensions: ExtensionDesk
  readonly wake: () => void
}

export interface Arrival {
  readonly enrolment: Enrolment
  readonly attempts: readonly AttemptName[]
  readonly extensions: readonly OfferedExtension[]
  readonly channel: Channel
  readonly channelKind: ChannelKind
}

export interface Arrived {
  readonly worker: WorkerId
  readonly serves: readonly Served[]
  readonly resumed: readonly AttemptName[]
  readonly dropped: readonly AttemptName[]
}

export async function registerWorker(
  parts: ArrivalParts,
  who: Caller,
  arrival: Arrival,
): Promise<Arrived | Refusal> {
  const { enrolment, channel, channelKind } = arrival
  const id = enrolment.id as WorkerId
  // On the same socket it says what more it serves; a pull worker that registers again may have been restarted.
  const adds = channelKind === 'push' && parts.roster.get(id)?.channel === channel
  const enrolled = await changeWorker(parts, id, (known) => enrol(parts, who, arrival, known))
  if (isRefusal(enrolled)) return enrolled
  const before = enrolled.before?.serves ?? []

  const registered = await registerAll(parts, who, id, arrival.extensions, before)
  if (isRefusal(registered)) {
    await undo(parts, id, enrolled)
    return registered
  }

  const kept = adds ? before.filter((old) => !registered.some((now) => isSame(now, old))) : []
  const serves = [...kept, ...registered]
  const written = await changeWorker(parts, id, (known) =>
    known ? { ...known, serves } : refuse('worker_lost'),
  )
  if (isRefusal(written)) return written
  for (const old of before) {
    if (!serves.some((now) => isSame(now, old))) await parts.extensions.withdraw(id, old)
  }

  const held = [...(parts.roster.get(id)?.running.keys() ?? [])]
  const back = adds
    ? { resumed: [], dropped: [], running: [], stop: [] }
    : await resumeWorker(parts, id, arrival.attempts, enrolled.before !== null)
  const stationed = { ...written.record, channel: channelKind }
  parts.roster.station(stationed, written.version, channel, parts.store.now())
  // What it was believed to run and does not is over, whether or not that was heard of here.
  if (!adds) endAll(parts.roster, held, back.running)
  for (const attempt of back.running) parts.roster.begin(id, attempt)
  for (const order of back.stop) parts.roster.stop(order)
  parts.wake()
  return { worker: id, serves, resumed: back.resumed, dropped: back.dropped }
}

function endAll(
  roster: ArrivalParts['roster'],
  held: readonly AttemptToken[],
  running: readonly RunningAttempt[],
): void {
  for (const token of held) if (!running.some((one) => one.token === token)) roster.end(token)
}

/** A refusal leaves nothing behind: an id that was not known before stays free for whoever comes with it next. */
async function undo(parts: ArrivalParts, id: WorkerId, { before, version }: ChangedWorker): Promise<void> {
  if (before === null) return forgetWorker(parts, id, version)
  await changeWorker(parts, id, (known) =>
    known ? { ...known, serves: before.serves } : refuse('worker_lost'),
  )
}

function enrol(
  { store }: ArrivalParts,
  who: Caller,
  { enrolment, extensions, channelKind }: Arrival,
  known: WorkerRecord | null,
): WorkerRecord | Refusal {
  const worker = enrolWorker(known?.worker ?? null, enrolment, who, store.now())
  if (isRefusal(worker)) return worker
  if (known && !reaches(who, known.serves))
    return refuse('worker_not_yours', 'A token for one room does not speak for a worker that serves others.')
  if (known?.leaving)
    return refuse('worker_lost', 'The worker is being declared lost; register again in a moment.')
  const intended = extensions.map(intendedOf)
  const before = (known?.serves ?? []).filter((old) => !intended.some((now) => isSame(now, old)))
  return { worker, serves: [...before, ...intended], channel: channelKind }
}

/** Whoever speaks for a worker is given its jobs, so a token for one room must not speak for a worker of another. */
export function reaches(who: Caller, serves: readonly Served[]): boolean {
  return who.onlyRoom === undefined || serves.every(({ room }) => room === who.onlyRoom)
}

/** Its hash is known only when the schema was admitted; until then the entry is what a withdrawal goes by. */
function intendedOf({ room, scope, category, name }: OfferedExtension): Served {
  const home = room ?? null
  return {
    room: home,
    scope: scope ?? (home === null ? 'global' : 'room'),
    category,
    name,
    hash: '' as SchemaHash,
  }
}

/** All or none: a worker that serves half of what it was written for would fail in ways nobody looks for. */
async function registerAll(
  { extensions }: ArrivalParts,
  who: Caller,
  id: WorkerId,
  offers: readonly OfferedExtension[],
  before: readonly Served[],
): Promise<readonly Served[] | Refusal> {
  const registered: Served[] = []
  for (const offer of offers) {
    const served = await extensions.register(who, id, offer)
    if (!isRefusal(served)) {
      registered.push(served)
      continue
    }
    for (const one of registered) {
      if (!before.some((old) => isSame(old, one))) await extensions.withdraw(id, one)
    }
    return served
  }
  return registered
}

function isSame(a: Served, b: Served): boolean {
  return a.room === b.room && a.scope === b.scope && a.category === b.category && a.name === b.name
}
