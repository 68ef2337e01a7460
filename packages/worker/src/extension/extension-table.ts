// The extensions of a worker as the server knows them: what it is offered at registration, and which of them a job that
// was assigned is for.

import type { AssignedJob, ExtensionOffer, RegisteredView } from '@millrace/protocol'
import { WorkerError } from '../worker-error.ts'
import type { Extension } from './extension.ts'

interface Place {
  readonly scope: 'room' | 'global' | 'builtin'
  readonly room: string | null
  readonly category: string
  readonly name: string
}

interface Served {
  readonly extension: Extension
  /** Of the schema as the server computed it; null before it has answered. */
  hash: string | null
}

export class ExtensionTable {
  readonly offers: readonly ExtensionOffer[]
  readonly #served = new Map<string, Served>()

  constructor(extensions: readonly Extension[], defaultRoom?: string) {
    this.offers = extensions.flatMap((extension) =>
      placesOf(extension, defaultRoom).map((place) => {
        const key = keyOf(place)
        if (this.#served.has(key)) throw new WorkerError(`The extension ${key} is defined twice.`)
        this.#served.set(key, { extension, hash: null })
        return offerOf(extension, place)
      }),
    )
    if (this.offers.length === 0) throw new WorkerError('A worker needs at least one extension.')
  }

  registered({ extensions }: RegisteredView): void {
    for (const view of extensions) {
      const served = this.#served.get(keyOf(view))
      if (served) served.hash = view.hash
    }
  }

  /** The extension, or a sentence about why the job is not for this worker. */
  for(job: AssignedJob): Extension | string {
    const { scope, room, category, extension: name, schemaHash } = job
    const served = this.#served.get(keyOf({ scope, room, category, name }))
    if (!served) return `This worker does not serve ${category}/${name} here.`
    if (served.hash !== schemaHash) return `This worker serves ${category}/${name} with another schema.`
    return served.extension
  }
}

function placesOf(extension: Extension, defaultRoom: string | undefined): readonly Place[] {
  const { category, name, room = defaultRoom, scope = 'room' } = extension
  if (scope !== 'room') return [{ scope, room: null, category, name }]
  if (room === undefined) {
    throw new WorkerError(`${category}/${name} has no room: give it a \`room\`, or \`scope: 'global'\`.`)
  }
  const rooms = typeof room === 'string' ? [room] : room
  return rooms.map((each) => ({ scope, room: each, category, name }))
}

function offerOf({ schema, policy }: Extension, { scope, room, category, name }: Place): ExtensionOffer {
  return {
    ...(room !== null && { room }),
    scope,
    category,
    name,
    schema: schema as Record<string, unknown>,
    ...(policy && { policy: policy as Record<string, unknown> }),
  }
}

/** Only an extension of a room has its room in its name: the others serve jobs of all rooms. */
function keyOf({ scope, room, category, name }: Place): string {
  return scope === 'room' ? `${scope}/${room}/${category}/${name}` : `${scope}/${category}/${name}`
}
