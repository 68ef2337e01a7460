// The body of a validation thread. It answers one request after the other and knows nothing of time: whoever waits kills
// it when an answer takes too long.

import { parentPort } from 'node:worker_threads'
import { isRefusal, type Refusal, refuse } from '@millrace/domain'
import { ErrorList } from './check-values.ts'
import { type Check, compileSchema, warmUp } from './compile-schema.ts'
import { Recent } from './recent.ts'

export type ThreadRequest =
  | { readonly kind: 'compile'; readonly hash: string; readonly schema: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'validate'
      readonly hash: string
      /** A JSON list: parsing a text is quicker than cloning what it says, and leaves nothing to chance. */
      readonly values: string
      /** The index of the first value, and how many there are in all. */
      readonly from: number
      readonly of: number
      readonly hasDefaults: boolean
    }

export type ThreadAnswer =
  | { readonly kind: 'done'; readonly values?: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The schema has to be compiled here first. */
  | { readonly kind: 'unknown' }

const checksKept = 200

/** Defaults can make much of little: a list of empty objects, each filled with a large one. */
const maxAnswerLength = 4_000_000

if (!parentPort) throw new Error('validation-thread runs in a thread only')
const port = parentPort
const checks = new Recent<Check>(checksKept)

warmUp(true)
port.on('message', (request: ThreadRequest) => port.postMessage(answer(request)))
port.postMessage('ready')

function answer(request: ThreadRequest): ThreadAnswer {
  return request.kind === 'compile' ? compile(request) : validate(request)
}

function compile({ hash, schema }: ThreadRequest & { kind: 'compile' }): ThreadAnswer {
  const check = compileSchema(schema)
  if (isRefusal(check)) return { kind: 'refused', refusal: check }
  checks.set(hash, check)
  return { kind: 'done' }
}

function validate({
  hash,
  values,
  from,
  of,
  hasDefaults,
}: ThreadRequest & { kind: 'validate' }): ThreadAnswer {
  const check = checks.get(hash)
  if (check === undefined) return { kind: 'unknown' }
  const parsed = JSON.parse(values) as readonly unknown[]
  const refusal = refusalOf(check, parsed, from, of)
  if (refusal !== null) return { kind: 'refused', refusal }
  if (!hasDefaults) return { kind: 'done' }
  const filled = JSON.stringify(parsed)
  if (filled.length <= maxAnswerLength) return { kind: 'done', values: filled }
  const message = 'With the defaults of the schema filled in, the data is larger than its limit.'
  return { kind: 'refused', refusal: refuse('json_too_large', message, { limit: maxAnswerLength }) }
}

function refusalOf(check: Check, values: readonly unknown[], from: number, of: number): Refusal | null {
  const errors = new ErrorList(of)
  try {
    for (const [at, value] of values.entries()) {
      if (errors.isFull) break
      errors.check(check, value, from + at)
    }
    return errors.refusal()
  } catch (fault) {
    if (fault instanceof RangeError)
      return refuse('validation_too_slow', 'The schema goes too deep for this data.')
    throw fault
  }
}
