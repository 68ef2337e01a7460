// A worker says that it serves an extension. The domain decides whether it may and what becomes of the versions; only
// then is a schema that nobody has seen before counted and compiled, which is the dear part.

import {
  admitSchema,
  type BreakerSettings,
  type Caller,
  registerExtension as decideRegistration,
  type Extension,
  type ExtensionId,
  type ExtensionName,
  extensionPolicy,
  type Home,
  isRefusal,
  parseExtensionId,
  parsePolicyChoice,
  type Refusal,
  type Registered,
  type Registration,
  type RoomName,
  refuse,
  type SchemaHash,
  type Scope,
  type Surroundings,
  schemaLimits,
  versionOf,
  type WorkerId,
} from '@millrace/domain'
import type { RateBook } from '../limits/rate-book.ts'
import type { Validator } from '../ports/validator.ts'
import { openRoom, type Rooms } from '../room/rooms.ts'
import { changeExtension, type ExtensionDecision, type ExtensionParts } from './change-extension.ts'
import { extensionPlace } from './extension-record.ts'
import { pinnedJobs } from './pinned-jobs.ts'

export interface RegistrationParts extends ExtensionParts {
  readonly rooms: Rooms
  readonly validator: Validator
  /** By user. */
  readonly rates: RateBook
  /** The hexadecimal digest of the text's UTF-8 bytes. */
  readonly sha256: (text: string) => string
  readonly builtins: readonly ExtensionName[]
  readonly schemaMaxBytes?: number
  /** Where the extension does not choose. */
  readonly breaker?: BreakerSettings
}

export interface ExtensionOffer {
  readonly room?: string
  readonly scope?: Scope
  readonly category: string
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly policy?: Readonly<Record<string, unknown>>
}

export interface RegisteredExtension {
  readonly id: ExtensionId
  /** Null for global and built-in ones. */
  readonly room: RoomName | null
  readonly hash: SchemaHash
  readonly invalidates: boolean
}

export async function registerExtension(
  parts: RegistrationParts,
  who: Caller,
  worker: WorkerId,
  offer: ExtensionOffer,
): Promise<RegisteredExtension | Refusal> {
  const registration = await readOffer(parts, who, worker, offer)
  if (isRefusal(registration)) return registration
  const { id, home, schema } = registration
  const room = home?.name ?? null
  const admission = new Admission(parts, who, registration)

  const place = extensionPlace(id, room)
  const changed = await changeExtension(parts, place, async (before) => {
    const surroundings = await surroundingsOf(parts, before, registration)
    const decided = decideRegistration(before, registration, who, surroundings, parts.store.now())
    if (isRefusal(decided)) return decided
    const isNew = before === null || versionOf(before, schema.hash) === undefined
    const refusal = isNew ? await admission.refusal() : null
    return refusal ?? withoutIdleChange(before, decided)
  })

  return isRefusal(changed) ? changed : { id, room, hash: schema.hash, invalidates: changed.invalidates }
}

async function readOffer(
  { rooms, sha256, schemaMaxBytes = schemaLimits.maxBytes, breaker }: RegistrationParts,
  who: Caller,
  worker: WorkerId,
  offer: ExtensionOffer,
): Promise<Registration | Refusal> {
  const scope = offer.scope ?? (offer.room === undefined ? 'global' : 'room')
  const home = await homeOf(rooms, who, scope, offer.room)
  if (isRefusal(home)) return home
  const id = parseExtensionId(scope, offer.category, offer.name)
  if (isRefusal(id)) return id
  const choice = parsePolicyChoice(offer.policy ?? {})
  const policy = isRefusal(choice)
    ? choice
    : extensionPolicy({ ...choice, breaker: { ...breaker, ...choice.breaker } })
  if (isRefusal(policy)) return policy
  const schema = admitSchema(offer.schema, sha256, { ...schemaLimits, maxBytes: schemaMaxBytes })
  return isRefusal(schema) ? schema : { id, home, worker, schema, policy }
}

async function homeOf(
  rooms: Rooms,
  who: Caller,
  scope: Scope,
  room: string | undefined,
): Promise<Home | Refusal> {
  if (scope !== 'room') return null
  if (room === undefined) return refuse('room_not_found', 'An extension of scope room names its room.')
  return openRoom(rooms, room, who, 'submit')
}

/** A schema is counted and compiled once, however often the commit is overtaken. */
class Admission {
  readonly #parts: RegistrationParts
  readonly #who: Caller
  readonly #registration: Registration
  #answer: Promise<Refusal | null> | null = null

  constructor(parts: RegistrationParts, who: Caller, registration: Registration) {
    this.#parts = parts
    this.#who = who
    this.#registration = registration
  }

  refusal(): Promise<Refusal | null> {
    this.#answer ??= this.#admit()
    return this.#answer
  }

  async #admit(): Promise<Refusal | null> {
    const { rates, store, validator } = this.#parts
    const { id, schema } = this.#registration
    // A pool brings all of the built-in ones at its first start; how many there are is known and no user's choice.
    const spent = id.scope === 'builtin' ? null : rates.spend(this.#who.user, store.now())
    return spent ?? (await validator.admit(schema))
  }
}

/** Names and pinned jobs are looked up only where the decision rests on them. */
async function surroundingsOf(
  { store, extensions, builtins }: RegistrationParts,
  before: Extension | null,
  { id, worker, schema }: Registration,
): Promise<Surroundings> {
  // A list may lag, but so may the rule: a global name can always be taken a moment after the room's.
  const asksForGlobals = before === null && id.scope === 'room'
  const globals = asksForGlobals ? (await extensions.listWide()).map((extension) => extension.id) : []
  const mayDrop = before?.versions.some(
    ({ hash, workers }) => hash !== schema.hash && workers.every((other) => other === worker),
  )
  return { builtins, globals, pinned: before && mayDrop ? await pinnedJobs(store, before) : new Map() }
}

/** A worker that returns finds itself listed already; its record is not written again for the order of a list. */
function withoutIdleChange(before: Extension | null, { next, invalidates }: Registered): ExtensionDecision {
  return before !== null && standingText(before) === standingText(next)
    ? { next: before, invalidates }
    : { next, invalidates }
}

function standingText({ current, versions }: Extension): string {
  const standing = versions
    .map(({ hash, policy, workers }) => ({ hash, policy, workers: workers.toSorted() }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
  return JSON.stringify([current, standing])
}
