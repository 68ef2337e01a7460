// Which extension a submit means. A named scope is taken at its word; without one the nearest wins: the room's, then the
// global, then the built-in. What the nearest hides is told, never dropped in silence.

import type { Scope } from '../job/job.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Extension } from './extension.ts'
import type { ExtensionName } from './identity.ts'

export interface Wanted extends ExtensionName {
  readonly scope?: Scope
}

export interface Resolved {
  readonly extension: Extension
  /** Those of the same name in wider scopes. */
  readonly shadowed: readonly Extension[]
}

export interface ListedExtension {
  readonly extension: Extension
  /** The scope that a submit without one would reach instead; null when it would reach this one. */
  readonly shadowedBy: Scope | null
}

const scopesNearestFirst: readonly Scope[] = ['room', 'global', 'builtin']

/** `inReach`: the room's own extensions, the global and the built-in ones. */
export function resolveExtension(inReach: readonly Extension[], wanted: Wanted): Resolved | Refusal {
  const named = nearestFirst(
    inReach.filter(({ id }) => id.category === wanted.category && id.name === wanted.name),
  )
  const at = wanted.scope === undefined ? 0 : named.findIndex(({ id }) => id.scope === wanted.scope)
  const extension = named[at]
  if (extension !== undefined) return { extension, shadowed: named.slice(at + 1) }
  const where = wanted.scope === undefined ? '' : ` of scope ${wanted.scope}`
  return refuse(
    'extension_not_found',
    `There is no extension ${wanted.category}/${wanted.name}${where} in reach.`,
  )
}

export function listExtensions(inReach: readonly Extension[]): readonly ListedExtension[] {
  const nearest = new Map<string, Scope>()
  return nearestFirst(inReach).map((extension) => {
    const name = `${extension.id.category}/${extension.id.name}`
    const shadowedBy = nearest.get(name) ?? null
    if (shadowedBy === null) nearest.set(name, extension.id.scope)
    return { extension, shadowedBy }
  })
}

function nearestFirst(extensions: readonly Extension[]): readonly Extension[] {
  return extensions.toSorted((a, b) => rank(a) - rank(b))
}

function rank({ id }: Extension): number {
  return scopesNearestFirst.indexOf(id.scope)
}
