// The body of a validating process. It answers one request after the other, each within its limit, and ends with the
// server, however that went.

import { isRefusal, type Refusal, refuse } from '@millrace/domain'
import { ErrorList } from './check-values.ts'
import { type Check, compileSchema, warmUp } from './compile-schema.ts'
import { Recent } from './recent.ts'
import { withinLimit } from './time-limit.ts'
import type {
  FromValidation,
  TimedAnswer,
  ToValidation,
  ValidationAnswer,
  ValidationRequest,
} from './validation-message.ts'

const checksKept = 200

/** Defaults can make much of little: a list of empty objects, each filled with a large one. */
const maxAnswerLength = 4_000_000

type Schema = (ValidationRequest & { kind: 'compile' })['schema']
const checks = new Recent<{ readonly schema: Schema; readonly check: Check }>(checksKept)

const tell = (message: FromValidation): boolean | undefined => process.send?.(message)

warmUp(true)
process.on('message', ({ request, limitMs }: ToValidation) =>
  tell(timed(() => answerWithin(limitMs, request))),
)
process.once('disconnect', () => process.exit())
// Told to the whole group; the server still has requests to answer, and takes this process with it when it goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
tell('ready')

function timed(work: () => ValidationAnswer): TimedAnswer {
  const before = process.cpuUsage()
  const answer = work()
  const { user, system } = process.cpuUsage(before)
  return { ...answer, usedMs: (user + system) / 1_000 }
}

function answerWithin(limitMs: number, request: ValidationRequest): ValidationAnswer {
  let answer: ValidationAnswer = { kind: 'overdue' }
  const { hash } = request
  const inTime = withinLimit(limitMs, (isAgain) => {
    if (isAgain) renew(hash)
    answer = request.kind === 'compile' ? compile(request) : validate(request)
  })
  if (!inTime) checks.delete(hash)
  return answer
}

/** A check that was stopped may have left a pattern's own memory half written. */
function renew(hash: string): void {
  const schema = checks.get(hash)?.schema
  if (schema) compile({ kind: 'compile', hash, schema })
}

function compile({ hash, schema }: ValidationRequest & { kind: 'compile' }): ValidationAnswer {
  const check = compileSchema(schema)
  if (isRefusal(check)) return { kind: 'refused', refusal: check }
  checks.set(hash, { schema, check })
  return { kind: 'done' }
}

function validate({
  hash,
  values,
  from,
  of,
  hasDefaults,
}: ValidationRequest & { kind: 'validate' }): ValidationAnswer {
  const check = checks.get(hash)?.check
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
