// The one way an extension's record changes or goes: read, decide, commit, and again from the start when another replica
// was faster.

import { type Deed, type Extension, isRefusal, type Refusal } from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { newId } from '../new-id.ts'
import type { Store } from '../ports/store.ts'
import { announceExtension, type ExtensionPlace, putExtension } from './extension-record.ts'
import type { Extensions } from './extensions.ts'

export interface ExtensionParts {
  readonly store: Store
  readonly extensions: Extensions
}

export interface ExtensionDecision {
  /** Null: it goes. The same reference as before: nothing changes. */
  readonly next: Extension | null
  readonly invalidates: boolean
}

/** `deed`: for the audit trail, where a person decides. */
export function changeExtension(
  { store, extensions }: ExtensionParts,
  place: ExtensionPlace,
  decide: (before: Extension | null) => Promise<ExtensionDecision | Refusal>,
  deed?: Deed,
): Promise<ExtensionDecision | Refusal> {
  const { partition, key } = place
  return extensions.turns.take(`${partition}\n${key}`, async () => {
    for (;;) {
      const known = await extensions.fresh(place)
      const before = known?.value ?? null

      const decided = await decide(before)
      if (isRefusal(decided)) return decided
      const { next, invalidates } = decided
      const id = (next ?? before)?.id
      if (next === before || id === undefined) return decided

      const now = store.now()
      const change = {
        id: newId(now),
        partition,
        ...writes(place, before, next, known?.version ?? 0),
        announce: [announceExtension(id, key, invalidates)],
      }
      const outcome = await store.commit(recorded(change, deed, now))
      extensions.forget(partition, key)
      if (outcome.outcome === 'committed') return decided
    }
  })
}

function writes({ key }: ExtensionPlace, before: Extension | null, next: Extension | null, version: number) {
  return next === null
    ? { expect: { [key]: version }, remove: [key] }
    : { put: [putExtension(next, before, version)] }
}
