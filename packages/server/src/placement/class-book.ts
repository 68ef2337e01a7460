// What placement has to know of each queue beside its depth: what a job needs, who may take it, and its limits. Read
// from the extension once and kept until it changes, so that a pass asks nobody.

import type { ExtensionId, ResourceNeed, Scope, StandingBreaker, Submission } from '@millrace/domain'
import { breakerOf, defaultNeed, defaultPolicy, extensionKey, untouchedBreaker } from '@millrace/domain'
import { type ExtensionPlace, extensionPlace } from '../extension/extension-record.ts'
import type { Extensions } from '../extension/extensions.ts'
import { abilityOf } from '../worker/worker-record.ts'
import { placeOf } from './waiting-queues.ts'

export interface PlacementClass {
  readonly key: string
  readonly room: string
  readonly queue: string
  /** Names the extension over all rooms; one of a room carries the room. */
  readonly extension: string
  readonly ability: string
  readonly needs: ResourceNeed
  readonly maxRunning: number | null
  /** What the policy says; what was measured weighs more, see short-extensions.ts. */
  readonly promisedShort: boolean
  /** Null where the extension leaves it to the job and the server. */
  readonly runLimitMs: number | null
  readonly acceptMs: number
  /** Who paused it; its jobs wait. */
  readonly pausedBy: string | null
  /** Where its extension stands. */
  readonly place: ExtensionPlace
  readonly breaker: StandingBreaker
}

/** The parts of a queue's name that the extension is found by. */
export interface QueueParts {
  readonly id: ExtensionId
  readonly hash: string
}

export class ClassBook {
  readonly #extensions: Extensions
  readonly #classes = new Map<string, PlacementClass>()
  #forgotten = 0

  constructor(extensions: Extensions) {
    this.#extensions = extensions
  }

  known(room: string, queue: string): PlacementClass | undefined {
    return this.#classes.get(placeOf(room, queue))
  }

  async learn(room: string, queue: string): Promise<PlacementClass> {
    const parts = partsOf(queue)
    const home = parts.id.scope === 'room' ? room : null
    const place = extensionPlace(parts.id, home)
    const before = this.#forgotten
    const found = await this.#extensions.at(place)
    const version = found?.value.versions.find(({ hash }) => hash === parts.hash)
    const learned: PlacementClass = {
      key: placeOf(room, queue),
      room,
      queue,
      extension: extensionIn(room, parts.id),
      ability: abilityOf(home, queue),
      needs: version?.policy.needs ?? defaultNeed,
      maxRunning: version?.policy.maxRunning ?? null,
      promisedShort: version?.policy.short ?? false,
      runLimitMs: version?.policy.job.runLimitMs ?? null,
      acceptMs: version?.policy.job.acceptMs ?? defaultPolicy.acceptMs,
      pausedBy: found?.value.paused?.by ?? null,
      place,
      breaker: found ? breakerOf(found.value) : untouchedBreaker,
    }
    // What was forgotten while it was being read may be old already, and would be kept until the next change.
    if (before === this.#forgotten) this.#classes.set(learned.key, learned)
    return learned
  }

  /** An extension changed, or what is known may be old: queues are few and learnt again in one read each. */
  forgetAll(): void {
    this.#forgotten += 1
    this.#classes.clear()
  }
}

/** The extension of a job, by the name it has in `PlacementClass`. */
export function extensionOf({ room, scope, category, extension: name }: Submission): string {
  return extensionIn(room, { scope, category, name })
}

function extensionIn(room: string, id: ExtensionId): string {
  return abilityOf(id.scope === 'room' ? room : null, extensionKey(id))
}

/** The inverse of the domain's `queueOf`, whose parts are escaped. */
export function partsOf(queue: string): QueueParts {
  const [scope = '', category = '', name = '', hash = ''] = queue.split('/').map(unescapePart)
  return { id: { scope: scope as Scope, category, name }, hash }
}

function unescapePart(part: string): string {
  return part.replaceAll('%2F', '/').replaceAll('%25', '%')
}
