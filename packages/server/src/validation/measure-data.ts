// What data weighs before it is validated, and that it is fit for it: not deeper than any recursion can bear, and without
// the one key that would change what an object inherits.

import { dataLimits, pointerToken, type Refusal, refuse } from '@millrace/domain'
import { refuseData } from './describe-errors.ts'

export interface DataWeight {
  /** Steps that validating the value itself may take, each of its entries counted. */
  readonly top: number
  /** The same for everything in it. */
  readonly all: number
}

/** `dearTexts`: the schema has formats, some of which take time that grows with the square of a text. */
export function measureData(value: unknown, dearTexts: boolean, index?: number): DataWeight | Refusal {
  return weighFlat(value, dearTexts) ?? weighDeep(value, dearTexts, index)
}

/** Most data is an object of plain values, which needs neither a path nor a limit of depth. Null: this is not. */
function weighFlat(value: unknown, dearTexts: boolean): DataWeight | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const fields = value as Readonly<Record<string, unknown>>
  const keys = Object.keys(fields)
  let all = 1
  for (const key of keys) {
    const part = fields[key]
    if (key === '__proto__' || (typeof part === 'object' && part !== null)) return null
    all += 1 + key.length / 64 + weighPlain(part, dearTexts)
  }
  return { top: 1 + keys.length, all }
}

function weighPlain(part: unknown, dearTexts: boolean): number {
  if (typeof part !== 'string') return 1
  return dearTexts ? 1 + part.length ** 2 / 64 : 1 + part.length / 16
}

function weighDeep(value: unknown, dearTexts: boolean, index: number | undefined): DataWeight | Refusal {
  const path: Path = []
  let problem: Refusal | null = null

  function weigh(part: unknown): number {
    if (typeof part !== 'object' || part === null) return weighPlain(part, dearTexts)
    if (path.length >= dataLimits.maxDepth) problem = tooDeep(path)
    return Array.isArray(part) ? weighList(part) : weighObject(part as Readonly<Record<string, unknown>>)
  }

  function weighList(items: readonly unknown[]): number {
    let steps = 1
    for (let at = 0; at < items.length && problem === null; at += 1) {
      path.push(at)
      steps += 1 + weigh(items[at])
      path.pop()
    }
    return steps
  }

  function weighObject(fields: Readonly<Record<string, unknown>>): number {
    let steps = 1
    for (const key of Object.keys(fields)) {
      if (key === '__proto__') problem = forbidden([...path, key], index)
      if (problem !== null) return steps
      path.push(key)
      steps += 1 + key.length / 64 + weigh(fields[key])
      path.pop()
    }
    return steps
  }

  const all = weigh(value)
  return problem ?? { top: entriesOf(value) ?? all, all }
}

type Path = (string | number)[]

function entriesOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null
  return 1 + (Array.isArray(value) ? value.length : Object.keys(value).length)
}

/** Copies what was measured: its depth is bounded and its keys are harmless. */
export function copyData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyData) as Value
  const copy: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(value)) copy[key] = copyData(part)
  return copy as Value
}

function tooDeep(path: Readonly<Path>): Refusal {
  const limit = dataLimits.maxDepth
  const pointer = pointerOf(path)
  return refuse('json_too_deep', `The data is nested deeper than ${limit} levels at ${pointer}.`, {
    limit,
    pointer,
  })
}

function forbidden(path: Readonly<Path>, index: number | undefined): Refusal {
  const error = { pointer: pointerOf(path), message: 'cannot be the name of a property' }
  return refuseData([index === undefined ? error : { index, ...error }])
}

function pointerOf(path: Readonly<Path>): string {
  return path
    .map((key) => `/${pointerToken(String(key))}`)
    .join('')
    .slice(0, 500)
}
