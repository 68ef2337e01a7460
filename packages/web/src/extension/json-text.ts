// JSON as people type it. What is not JSON yet stands among the data as such, so that the field goes on showing it and the
// check refuses it: otherwise Run would send what was there before.

import { isObject } from './json-schema.ts'

const halfTyped = 'x-half-typed'

export function jsonOfText(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return { [halfTyped]: text }
  }
}

export function textOfJson(value: unknown): string {
  if (isHalfTyped(value)) return value[halfTyped]
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

export function isHalfTyped(value: unknown): value is { readonly [halfTyped]: string } {
  return isObject(value) && typeof value[halfTyped] === 'string'
}

/** Whether the data is what this text says. Fields that were left empty come back from the form as an empty object. */
export function isTextOf(text: string, value: unknown): boolean {
  const meant = jsonOfText(text)
  if (meant === undefined && isObject(value)) return Object.keys(value).length === 0
  return textOfJson(meant) === textOfJson(value)
}
