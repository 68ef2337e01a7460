// Admitting a worker's JSON Schema, which is hostile input: bounded in size and depth, without references to the outside
// world, and named by the hash of its canonical text. Whether it compiles is for the validator to say.

import type { SchemaHash } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import { canonicalJson, isPlainObject, type JsonLimits, pointerToken } from './canonical-json.ts'

export interface AdmittedSchema {
  readonly hash: SchemaHash
  readonly schema: Readonly<Record<string, unknown>>
}

/** 100 KB holds any form a person can fill in; 32 levels any they can follow. */
export const schemaLimits: JsonLimits = { maxBytes: 100_000, maxDepth: 32 }

/** What one job may be given: no form needs more, and whoever has more keeps it in the room's frames. */
export const dataLimits: JsonLimits = { maxBytes: 1_000_000, maxDepth: 64 }

const referring: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef']

/** `sha256` answers the hexadecimal digest of the text's UTF-8 bytes. */
export function admitSchema(
  schema: unknown,
  sha256: (text: string) => string,
  limits: JsonLimits = schemaLimits,
): AdmittedSchema | Refusal {
  if (!isPlainObject(schema)) return refuse('schema_not_object')
  const text = canonicalJson(schema, limits)
  if (isRefusal(text)) return text
  const remote = remoteReference(schema, '')
  if (remote !== null) {
    const message = `The reference at ${remote} leaves the schema; only those that begin with '#' are followed.`
    return refuse('schema_remote_ref', message, { pointer: remote })
  }
  return { hash: sha256(text) as SchemaHash, schema }
}

/** Runs after the depth check, so the recursion is bounded. */
function remoteReference(part: unknown, pointer: string): string | null {
  if (typeof part !== 'object' || part === null) return null
  for (const [key, value] of Object.entries(part)) {
    const at = `${pointer}/${pointerToken(key)}`
    if (referring.includes(key) && typeof value === 'string' && !value.startsWith('#')) return at
    const inner = remoteReference(value, at)
    if (inner !== null) return inner
  }
  return null
}
