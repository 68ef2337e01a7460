// The breakers of all extensions, as this replica works them: it hears how attempts end, and asks for the one job that
// may be tried. What a breaker is stands in the extension's record, which every replica sees; only counts stand here.

import {
  type AttemptToken,
  type Breaker,
  type BreakerSettings,
  type BreakerView,
  breakerOf,
  countOutcome,
  defaultBreakerSettings,
  type EndedOutcome,
  type Extension,
  type ExtensionId,
  type FailureCount,
  graceMs,
  isBesideSuccess,
  isRefusal,
  isTelling,
  probeToken,
  type Refusal,
  type Submission,
  startProbe,
  versionOf,
  viewBreaker,
  withBreaker,
} from '@millrace/domain'
import { newId } from '../new-id.ts'
import { changeExtension, type ExtensionParts } from './change-extension.ts'
import { type ExtensionPlace, extensionPlace } from './extension-record.ts'

export interface BreakersParts extends ExtensionParts {
  /** Where neither the extension nor the job says otherwise. */
  readonly runLimitMs: number
  readonly onChanged: (change: BreakerChange) => void
  readonly onFault: (fault: unknown) => void
}

export interface BreakerChange {
  readonly id: ExtensionId
  /** Null for global and built-in ones. */
  readonly room: string | null
  readonly breaker: Breaker
  /** At the instant of the change. */
  readonly view: BreakerView
}

/** An attempt that is over, as it was committed. */
export interface EndedAttempt extends EndedOutcome {
  readonly submission: Submission
  readonly assignedAt: number
}

export interface ProbeTimes {
  readonly acceptMs: number
  readonly runLimitMs: number | null
}

/** Of extensions that fail. What is forgotten here only opens a breaker later. */
const countsAtMost = 5_000

export class Breakers {
  readonly #parts: BreakersParts
  /** Null: a failure is being looked at, so that a success behind it is not overlooked. */
  readonly #counts = new Map<string, FailureCount | null>()
  /** When an attempt last went well. */
  readonly #succeededAt = new Map<string, number>()
  /** Extensions whose probe is being written. */
  readonly #beginning = new Set<string>()

  constructor(parts: BreakersParts) {
    this.#parts = parts
  }

  ended(attempts: readonly EndedAttempt[]): void {
    const now = this.#parts.store.now()
    this.#noteSuccesses(attempts, now)
    // Nearly all go well while nothing is counted: what follows is not for them.
    const telling = attempts.filter((attempt) => this.#isTelling(attempt, now))
    if (telling.length === 0) return
    for (const [name, its] of byExtension(telling)) {
      this.#counts.set(name, this.#counts.get(name) ?? null)
      this.#hear(name, its).catch(this.#parts.onFault)
    }
  }

  /** The token of the one attempt that may begin; null when it is not for this replica to try, or not now. */
  async beginProbe(
    place: ExtensionPlace,
    { acceptMs, runLimitMs }: ProbeTimes,
  ): Promise<AttemptToken | null> {
    const { store } = this.#parts
    const name = nameOf(place)
    if (this.#beginning.has(name)) return null
    this.#beginning.add(name)
    try {
      const token = probeToken(newId(store.now()))
      // A job may have chosen a longer limit: then another takes its place.
      const lastsMs = acceptMs + (runLimitMs ?? this.#parts.runLimitMs) + graceMs
      const hasBegun = await this.#change(place, (extension, now) =>
        startProbe(breakerOf(extension), token, now + lastsMs, now),
      )
      return hasBegun ? token : null
    } finally {
      this.#beginning.delete(name)
    }
  }

  /** It never began: there was no job to try. */
  async dropProbe(place: ExtensionPlace, token: AttemptToken): Promise<void> {
    const ended: EndedOutcome = { token, outcome: 'not_accepted' }
    await this.#change(
      place,
      (extension, now) =>
        countOutcome(breakerOf(extension), null, ended, defaultBreakerSettings, now).breaker,
    )
  }

  /** Those of one extension, in the order in which they ended. */
  async #hear(name: string, attempts: readonly EndedAttempt[]): Promise<void> {
    const place = placeOf((attempts[0] as EndedAttempt).submission)
    let extension = await this.#read(place)
    for (const attempt of attempts) {
      if (!extension) break
      const { breaker, count } = this.#count(name, extension, attempt, this.#parts.store.now())
      if (breaker === breakerOf(extension)) {
        this.#remember(name, count)
        continue
      }
      await this.#change(place, (fresh, now) => this.#count(name, fresh, attempt, now).breaker)
      extension = await this.#read(place)
    }
    if (this.#counts.get(name) === null) this.#counts.delete(name)
  }

  #noteSuccesses(attempts: readonly EndedAttempt[], now: number): void {
    let noted: Submission | null = null
    for (const { submission, outcome } of attempts) {
      if (outcome !== 'completed' || (noted !== null && isSameExtension(noted, submission))) continue
      noted = submission
      if (this.#succeededAt.size >= countsAtMost) this.#succeededAt.clear()
      this.#succeededAt.set(nameOf(placeOf(submission)), now)
    }
  }

  #isTelling(attempt: EndedAttempt, now: number): boolean {
    if (attempt.outcome === 'completed' && this.#counts.size === 0) return isTelling(attempt, false)
    const name = nameOf(placeOf(attempt.submission))
    const succeededAt = this.#succeededAt.get(name) ?? Number.NEGATIVE_INFINITY
    return isTelling(attempt, this.#counts.has(name), isBesideSuccess(attempt.assignedAt, succeededAt, now))
  }

  #count(name: string, extension: Extension, attempt: EndedAttempt, now: number) {
    const count = this.#counts.get(name) ?? null
    return countOutcome(breakerOf(extension), count, attempt, settingsOf(extension, attempt.submission), now)
  }

  #remember(name: string, count: FailureCount | null): void {
    if (count === null) {
      this.#counts.delete(name)
      return
    }
    if (this.#counts.size >= countsAtMost) this.#counts.clear()
    this.#counts.set(name, count)
  }

  async #read(place: ExtensionPlace): Promise<Extension | null> {
    return (await this.#parts.extensions.at(place))?.value ?? null
  }

  /** Whether it is now another. */
  async #change(
    place: ExtensionPlace,
    decide: (extension: Extension, now: number) => Breaker | Refusal,
  ): Promise<boolean> {
    const { store, onChanged } = this.#parts
    let change: BreakerChange | null = null
    const changed = await changeExtension(this.#parts, place, async (before) => {
      change = null
      if (before === null) return { next: null, invalidates: false }
      const now = store.now()
      const breaker = decide(before, now)
      if (isRefusal(breaker)) return breaker
      const next = withBreaker(before, breaker, now)
      if (next !== before) change = changeOf(before, breaker, now)
      return { next, invalidates: true }
    })
    if (isRefusal(changed) || change === null) return false
    onChanged(change)
    return true
  }
}

export function changeOf({ id, room }: Extension, breaker: Breaker, now: number): BreakerChange {
  return { id, room, breaker, view: viewBreaker(breaker, now) }
}

function settingsOf(extension: Extension, { schemaHash }: Submission): BreakerSettings {
  return versionOf(extension, schemaHash)?.policy.breaker ?? defaultBreakerSettings
}

function placeOf({ scope, category, extension: name, room }: Submission): ExtensionPlace {
  return extensionPlace({ scope, category, name }, room)
}

/** Those of one batch mostly are, and to tell is cheaper than to name it. */
function isSameExtension(a: Submission, b: Submission): boolean {
  return a.extension === b.extension && a.category === b.category && a.room === b.room && a.scope === b.scope
}

function nameOf({ partition, key }: ExtensionPlace): string {
  return `${partition}\n${key}`
}

function byExtension(attempts: readonly EndedAttempt[]): ReadonlyMap<string, readonly EndedAttempt[]> {
  const groups = new Map<string, EndedAttempt[]>()
  for (const attempt of attempts) {
    const name = nameOf(placeOf(attempt.submission))
    const group = groups.get(name)
    if (group) group.push(attempt)
    else groups.set(name, [attempt])
  }
  return groups
}
