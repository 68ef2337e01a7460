// One text per JSON value, whatever the order of its keys: what is hashed and compared. Keys are sorted by code unit and
// numbers written as JSON writes them (as in RFC 8785). The value is hostile input, so depth and bytes are bounded while
// it is written and not afterwards.

import { type Refusal, refuse } from '../refusal.ts'
import { utf8Bytes } from './utf8-bytes.ts'

export interface JsonLimits {
  readonly maxBytes: number
  readonly maxDepth: number
}

export function canonicalJson(value: unknown, limits: JsonLimits): string | Refusal {
  const parts: string[] = []
  let bytes = 0

  function put(text: string): Refusal | null {
    bytes += utf8Bytes(text)
    parts.push(text)
    if (bytes <= limits.maxBytes) return null
    return refuse('json_too_large', `The value has more than ${limits.maxBytes} bytes.`, {
      limit: limits.maxBytes,
    })
  }

  function write(part: unknown, pointer: string, depth: number): Refusal | null {
    const scalar = scalarText(part)
    if (scalar !== null) return put(scalar)
    if (!Array.isArray(part) && !isPlainObject(part)) return notJson(pointer, part)
    if (depth >= limits.maxDepth) {
      const message = `The value is nested deeper than ${limits.maxDepth} levels at ${pointer}.`
      return refuse('json_too_deep', message, { limit: limits.maxDepth, pointer })
    }
    return Array.isArray(part) ? writeArray(part, pointer, depth) : writeObject(part, pointer, depth)
  }

  function writeArray(items: readonly unknown[], pointer: string, depth: number): Refusal | null {
    for (let at = 0; at < items.length; at += 1) {
      const refusal = put(at === 0 ? '[' : ',') ?? write(items[at], `${pointer}/${at}`, depth + 1)
      if (refusal !== null) return refusal
    }
    return put(items.length === 0 ? '[]' : ']')
  }

  function writeObject(
    fields: Readonly<Record<string, unknown>>,
    pointer: string,
    depth: number,
  ): Refusal | null {
    const keys = Object.keys(fields).sort()
    for (const [at, key] of keys.entries()) {
      const refusal =
        put(`${at === 0 ? '{' : ','}${JSON.stringify(key)}:`) ??
        write(fields[key], `${pointer}/${pointerToken(key)}`, depth + 1)
      if (refusal !== null) return refusal
    }
    return put(keys.length === 0 ? '{}' : '}')
  }

  return write(value, '', 0) ?? parts.join('')
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Tells objects from maps, dates and the like, whose content JSON would drop without a word. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

function scalarText(value: unknown): string | null {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'number' && Number.isFinite(value) ? JSON.stringify(value) : null
}

function notJson(pointer: string, value: unknown): Refusal {
  const kind = typeof value === 'number' ? String(value) : typeof value
  return refuse('not_json', `There is no JSON for the ${kind} at ${pointer || 'the top'}.`, { pointer })
}
