// What a handler returned or a program submits, as JSON, and about how many bytes it takes. Most of it is plain data and is
// only looked at; what has dates, bytes or numbers that JSON does not have is written and read once, so that what is sent is exact.

import { WorkerError } from '../worker-error.ts'

export interface JsonValue {
  readonly value: unknown
  readonly bytes: number
}

/** Deeper is either a cycle or nothing that a server takes. */
const maxDepth = 64

/** Throws a WorkerError that says why when the value cannot be JSON. */
export function asJson(value: unknown, what = 'The result'): JsonValue {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') {
    return { value: typeof value === 'number' && !Number.isFinite(value) ? null : value, bytes: 8 }
  }
  const bytes = plainSize(value, 0)
  return bytes === null ? rewritten(value, what) : { value, bytes }
}

/** Null for what is not plain data. */
function plainSize(value: unknown, depth: number): number | null {
  switch (typeof value) {
    case 'string':
      return value.length + 2
    case 'number':
      return Number.isFinite(value) ? 8 : null
    case 'boolean':
      return 5
    case 'object':
      return value === null ? 4 : depth === maxDepth ? null : sizeOfParts(value, depth + 1)
    default:
      return null
  }
}

function sizeOfParts(value: object, depth: number): number | null {
  const isArray = Array.isArray(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!isArray && prototype !== Object.prototype && prototype !== null) return null
  if ('toJSON' in value) return null
  let bytes = 2
  const parts: readonly unknown[] = isArray ? value : Object.values(value)
  if (!isArray) for (const name in value) bytes += name.length + 4
  for (const part of parts) {
    const size = plainSize(part, depth)
    if (size === null) return null
    bytes += size + 1
  }
  return bytes
}

function rewritten(value: unknown, what: string): JsonValue {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new WorkerError(`${what} cannot be written as JSON: ${messageOf(cause)}`, { cause })
  }
  if (text === undefined) throw new WorkerError(`${what} cannot be written as JSON: it is a ${typeof value}.`)
  return { value: JSON.parse(text) as unknown, bytes: Buffer.byteLength(text) }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
}
