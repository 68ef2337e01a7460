// What differs between two schemas, as JSON pointers, for whoever has to mend a conflict. Lists of plain values
// (`required`, `enum`) are compared as one: by index, one word put in front would read as a change of all.

import { isPlainObject, pointerToken } from './canonical-json.ts'

export interface SchemaChange {
  readonly change: 'added' | 'removed' | 'changed'
  readonly pointer: string
  readonly before?: unknown
  readonly after?: unknown
}

export function diffSchemas(before: unknown, after: unknown): readonly SchemaChange[] {
  return diffAt('', before, after)
}

/** One line for a log or a message; the values stand in the change itself. */
export function describeChanges(changes: readonly SchemaChange[], limit: number): string {
  const shown = changes.slice(0, limit).map(({ change, pointer }) => `${change} ${pointer || '/'}`)
  const more = changes.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function diffAt(pointer: string, before: unknown, after: unknown): readonly SchemaChange[] {
  if (isPlainObject(before) && isPlainObject(after)) return diffChildren(pointer, before, after)
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.every(isScalar) && after.every(isScalar)) return diffLists(pointer, before, after)
    return diffChildren(pointer, { ...before }, { ...after })
  }
  return before === after ? [] : [{ change: 'changed', pointer, before, after }]
}

function diffChildren(
  pointer: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly SchemaChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key): readonly SchemaChange[] => {
    const at = `${pointer}/${pointerToken(key)}`
    if (!Object.hasOwn(before, key)) return [{ change: 'added', pointer: at, after: after[key] }]
    if (!Object.hasOwn(after, key)) return [{ change: 'removed', pointer: at, before: before[key] }]
    return diffAt(at, before[key], after[key])
  })
}

function diffLists(
  pointer: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly SchemaChange[] {
  const same = before.length === after.length && before.every((item, at) => item === after[at])
  return same ? [] : [{ change: 'changed', pointer, before, after }]
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
