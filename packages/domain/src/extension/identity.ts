// What an extension is called. Names become parts of URLs and store keys and are often class names of another language,
// so upper case is allowed but two names that differ only in case are never told apart where one is reserved.

import type { Scope } from '../job/job.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface ExtensionName {
  readonly category: string
  readonly name: string
}

export interface ExtensionId extends ExtensionName {
  readonly scope: Scope
}

const categoryPattern = /^[a-z][a-z0-9_-]{0,31}$/
const namePattern = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/

export function parseExtensionId(scope: Scope, category: string, name: string): ExtensionId | Refusal {
  if (!categoryPattern.test(category)) {
    return refuse(
      'extension_name_invalid',
      "A category has 1 to 32 lower-case letters, digits, '-' and '_', and begins with a letter.",
      { field: 'category' },
    )
  }
  if (!namePattern.test(name)) {
    return refuse(
      'extension_name_invalid',
      "An extension's name has 1 to 64 letters, digits, '.', '-' and '_', and begins with a letter.",
      { field: 'name' },
    )
  }
  return { scope, category, name }
}

/** Neither part can hold a slash, so no two ids share a key. */
export function extensionKey({ scope, category, name }: ExtensionId): string {
  return `${scope}/${category}/${name}`
}

export function isNamedAmong(wanted: ExtensionName, names: readonly ExtensionName[]): boolean {
  const lower = wanted.name.toLowerCase()
  return names.some(({ category, name }) => category === wanted.category && name.toLowerCase() === lower)
}
