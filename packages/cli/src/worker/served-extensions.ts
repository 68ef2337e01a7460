// Which of a module's exports are extensions. `defineExtension` hands back the definition itself, so they are known by
// their shape: whatever has a category, a name, a schema and a handler is one.

import type { Extension } from '@millrace/worker'

/** Each once, however often it is exported; a list of them counts as each of them. */
export function extensionsAmong(exported: Readonly<Record<string, unknown>>): readonly Extension[] {
  const found = Object.values(exported).flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  )
  return [...new Set(found.filter(isExtension))]
}

function isExtension(value: unknown): value is Extension {
  if (typeof value !== 'object' || value === null) return false
  const { category, name, schema, run } = value as Partial<Extension>
  return (
    typeof category === 'string' &&
    typeof name === 'string' &&
    typeof schema === 'object' &&
    typeof run === 'function'
  )
}
