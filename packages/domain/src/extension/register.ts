// A worker says that it serves an extension. The answer depends on the schema's hash: known, it is one more worker; new,
// it becomes current unless live workers hold the current one, for then half of the workers would refuse what the other
// half accepts.

import type { WorkerId } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import { setsPolicy } from './admission.ts'
import {
  type Extension,
  type ExtensionVersion,
  liveWorkers,
  type PinnedJobs,
  versionOf,
  withoutWorker,
} from './extension.ts'
import type { ExtensionPolicy } from './extension-policy.ts'
import { extensionKey } from './identity.ts'
import { type KnownNames, type RegistrationPlace, registrationRefusal } from './registration-rights.ts'
import type { AdmittedSchema } from './schema.ts'
import { describeChanges, diffSchemas } from './schema-diff.ts'
import { settleVersions } from './withdraw.ts'

export interface Registration extends RegistrationPlace {
  readonly worker: WorkerId
  readonly schema: AdmittedSchema
  readonly policy: ExtensionPolicy
}

/** What else is known when a registration is decided. */
export interface Surroundings extends KnownNames {
  readonly pinned: PinnedJobs
}

export interface Registered {
  readonly next: Extension
  /** Whether new jobs meet another schema, or workers where there were none: then `schema:invalidated` is announced. */
  readonly invalidates: boolean
}

/** Every version carries a schema of up to 100 KB; one with a hundred left-over versions would be a heavy record. */
export const maxVersions: number = 10

/** The differences a refusal spells out; a wholly different schema would otherwise be sent back whole. */
const shownChanges = 20

export function registerExtension(
  existing: Extension | null,
  registration: Registration,
  who: Caller,
  surroundings: Surroundings,
  now: number,
): Registered | Refusal {
  const refusal = registrationRefusal(existing, registration, who, surroundings)
  if (refusal !== null) return refusal
  if (existing === null) return { next: firstRegistration(registration, who, now), invalidates: true }
  const { worker, schema } = registration
  const others = withoutWorker(existing, worker)
  const current = versionOf(others, existing.current)
  const currentIsHeld = current !== undefined && current.workers.length > 0
  if (currentIsHeld && versionOf(others, schema.hash) === undefined) return conflict(current, registration)
  const joined = joinVersion(others, registration, setsPolicy(existing, registration.home, who), now)
  const versions = [...others.versions.filter(({ hash }) => hash !== joined.hash), joined]
  const next = settleVersions(
    { ...others, current: currentIsHeld ? existing.current : joined.hash, versions },
    surroundings.pinned,
  )
  if (next.versions.length > maxVersions) {
    return refuse('extension_versions_full', `An extension has at most ${maxVersions} versions at a time.`)
  }
  return { next, invalidates: next.current !== existing.current || liveWorkers(existing).length === 0 }
}

function firstRegistration(registration: Registration, who: Caller, now: number): Extension {
  const { id, home, worker, schema, policy } = registration
  return {
    id,
    room: home?.name ?? null,
    owner: who.user,
    admitted: [],
    current: schema.hash,
    versions: [{ ...schema, policy, workers: [worker], registeredAt: now }],
    registeredAt: now,
  }
}

function joinVersion(
  extension: Extension,
  { schema, policy, worker }: Registration,
  maySetPolicy: boolean,
  now: number,
): ExtensionVersion {
  const known = versionOf(extension, schema.hash)
  if (known === undefined) return { ...schema, policy, workers: [worker], registeredAt: now }
  return { ...known, policy: maySetPolicy ? policy : known.policy, workers: [...known.workers, worker] }
}

function conflict(current: ExtensionVersion, { id, schema }: Registration): Refusal {
  const changes = diffSchemas(current.schema, schema.schema)
  const workers = current.workers.length === 1 ? 'one live worker' : `${current.workers.length} live workers`
  const message = `${extensionKey(id)} is served by ${workers} with another schema: ${describeChanges(changes, 5)}.`
  return refuse('extension_schema_conflict', message, {
    currentHash: current.hash,
    offeredHash: schema.hash,
    workers: current.workers.length,
    changes: changes.slice(0, shownChanges),
    changesLeftOut: Math.max(0, changes.length - shownChanges),
  })
}
