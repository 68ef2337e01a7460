// What others wrote (workers, users, servers), made harmless for a terminal: escape sequences could move the cursor,
// change colours or answer for the reader. Only new lines and tabs stay.

import { stripVTControlCharacters } from 'node:util'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(controls, '')
}

/** The same for every text in a value. */
export function plainValue<Value>(value: Value): Value {
  return cleaned(value) as Value
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [plainText(key), cleaned(one)]))
}
