// What one more worker would start now. Two plans of one snapshot are compared; nothing is claimed, reserved or written.

import {
  type Caller,
  isRefusal,
  mayRead,
  parseExtensionId,
  parseNeed,
  queueOf,
  type Refusal,
  type ResourceNeed,
  type Resources,
  refuse,
  type SchemaHash,
  type Scope,
  versionOf,
  type WorkerId,
  type WorkerSupply,
  whatIf,
} from '@millrace/domain'
import type { Extensions } from '../extension/extensions.ts'
import { openRoom } from '../room/rooms.ts'
import { getWorker, type SeenWorker, type WorkerViewParts } from '../worker/list-workers.ts'
import { abilitiesOf, abilityOf } from '../worker/worker-record.ts'
import { type ClassName, classNameOf } from './draw-placement.ts'
import { type SeenWaiting, seenWaiting } from './look-at-passes.ts'
import { type Surroundings, takeSnapshot } from './take-snapshot.ts'

export interface WhatIfParts extends Surroundings, WorkerViewParts {
  readonly known: Extensions
}

export interface ServedName {
  readonly room?: string
  readonly scope: Scope
  readonly category: string
  readonly name: string
  readonly hash?: string
}

export interface WantedWorker extends Partial<ResourceNeed> {
  /** As large as this one and serving the same, where nothing else is said. */
  readonly like?: string
  readonly extensions?: readonly ServedName[]
}

export interface SeenWhatIf {
  readonly more: number
  readonly classes: readonly (ClassName & { readonly before: number; readonly after: number })[]
  readonly waiting: readonly SeenWaiting[]
}

/** Not a name that a worker can have. */
const oneMore = ' one more' as WorkerId

/** Jobs of other rooms count in both plans, or the answer would be wrong; they are not told of. */
export async function askWhatIf(
  parts: WhatIfParts,
  who: Caller,
  wanted: WantedWorker,
): Promise<SeenWhatIf | Refusal> {
  const worker = await supplyOf(parts, who, wanted)
  if (isRefusal(worker)) return worker
  const { snapshot } = await takeSnapshot(parts)
  const { changes, waiting } = whatIf(snapshot, worker)
  const seen = new Set<string>()
  for (const { name } of snapshot.rooms) {
    const known = await parts.rooms.get(name)
    if (known && mayRead(known.value, who)) seen.add(name)
  }
  const sight = { room: (name: string) => seen.has(name) }
  const classes = changes
    .map(({ class: key, ...starts }) => ({ ...classNameOf(key), ...starts }))
    .filter(({ room }) => sight.room(room))
  const more = classes.reduce((sum, { before, after }) => sum + after - before, 0)
  return { more, classes, waiting: seenWaiting(waiting, sight) }
}

async function supplyOf(
  parts: WhatIfParts,
  who: Caller,
  { like, extensions, ...shape }: WantedWorker,
): Promise<WorkerSupply | Refusal> {
  if (like === undefined && extensions === undefined)
    return refuse('request_invalid', 'Name a worker that it shall be like, or the extensions it would serve.')
  const model = like === undefined ? null : await getWorker(parts, who, like)
  if (isRefusal(model)) return model
  const size = parseNeed({ ...shapeOf(model), ...shape })
  if (isRefusal(size)) return size
  const abilities = extensions
    ? await abilitiesFor(parts, who, extensions)
    : abilitiesOf(model?.record.serves ?? [])
  if (isRefusal(abilities)) return abilities
  const { labels, ...total } = size
  const isPool = model?.record.worker.kind === 'pool'
  return {
    id: oneMore,
    abilities,
    labels,
    total,
    free: total,
    health: { ok: true },
    ...(isPool && { keptForShort: parts.shorts.keptOfIdle(total.slots) }),
  }
}

function shapeOf(model: SeenWorker | null): (Resources & { readonly labels: readonly string[] }) | null {
  return model && { ...model.record.worker.capacity.total, labels: model.record.worker.capacity.labels }
}

async function abilitiesFor(
  parts: WhatIfParts,
  who: Caller,
  extensions: readonly ServedName[],
): Promise<readonly string[] | Refusal> {
  const abilities: string[] = []
  for (const served of extensions) {
    const ability = await abilityFor(parts, who, served)
    if (isRefusal(ability)) return ability
    abilities.push(ability)
  }
  return abilities
}

async function abilityFor(
  { rooms, known }: WhatIfParts,
  who: Caller,
  { room, scope, category, name, hash }: ServedName,
): Promise<string | Refusal> {
  if (scope === 'room' && room === undefined)
    return refuse('request_invalid', 'An extension of scope room is named with its room.')
  const home = scope === 'room' && room !== undefined ? await openRoom(rooms, room, who, 'read') : null
  if (isRefusal(home)) return home
  const id = parseExtensionId(scope, category, name)
  if (isRefusal(id)) return refuse('extension_not_found')
  const found = (await known.get(home?.name ?? null, id))?.value
  const version = found && versionOf(found, (hash ?? found.current) as SchemaHash)
  if (!version) return refuse('extension_not_found')
  const queue = queueOf({ scope, category, extension: name, schemaHash: version.hash })
  return abilityOf(home?.name ?? null, queue)
}
