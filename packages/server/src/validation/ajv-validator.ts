// The validator on Ajv. Plain schemas run right here; whatever may take long goes to a process that can be stopped, and
// so does data that is large for its schema. Nothing here holds up the event loop for longer than one small step.

import { type AdmittedSchema, isRefusal, type Refusal, refuse } from '@millrace/domain'
import type { Validator } from '../ports/validator.ts'
import { ErrorList } from './check-values.ts'
import { type Check, compileSchema, warmUp } from './compile-schema.ts'
import { copyData, measureData } from './measure-data.ts'
import { overloaded, ProcessPool } from './process-pool.ts'
import { Recent } from './recent.ts'
import { planSchema, type SchemaPlan } from './schema-plan.ts'
import type { ValidationProcess } from './validation-process.ts'

export interface ValidatorOptions {
  /** A schema that takes longer to compile is refused. More: dearer schemas pass, and others wait longer for a process. */
  readonly compileMs?: number
  /** Data that takes longer to validate is refused. */
  readonly validateMs?: number
  /** More: one slow schema holds up fewer others, for some 40 MB each. */
  readonly processes?: number
}

/** About how many checks fit into the time for which the event loop may be held up. */
const plainSteps = 100_000
/** After this long the event loop gets its turn, between one value and the next. */
const turnMs = 10
const schemasKept = 500
const maxWaiting = 1_000
/** Data is handed over in portions of about this many steps, each a short hold-up. */
const portionSteps = 200_000

interface KnownSchema {
  readonly plan: SchemaPlan
  /** Of a plain schema, once it was needed. */
  check?: Check
}

export function openAjvValidator(options: ValidatorOptions = {}): Validator {
  warmUp(false)
  return new AjvValidator(options)
}

class AjvValidator implements Validator {
  readonly #compileMs: number
  readonly #validateMs: number
  readonly #pool: ProcessPool
  readonly #known = new Recent<KnownSchema>(schemasKept)

  constructor({ compileMs = 250, validateMs = 1_000, processes = 2 }: ValidatorOptions) {
    this.#compileMs = compileMs
    this.#validateMs = validateMs
    this.#pool = new ProcessPool(processes, maxWaiting)
  }

  async admit(schema: AdmittedSchema): Promise<Refusal | null> {
    const known = this.#knownSchema(schema)
    if (known.plan.dearBecause === null) {
      const check = this.#plainCheck(schema, known)
      return isRefusal(check) ? check : null
    }
    return this.#inProcess(async (there) => (await this.#compile(there, schema)) ?? null)
  }

  async validateAll(schema: AdmittedSchema, data: readonly unknown[]): Promise<readonly unknown[] | Refusal> {
    const known = this.#knownSchema(schema)
    const steps = await measureAll(known.plan, data)
    if (isRefusal(steps)) return steps
    if (known.plan.dearBecause === null && steps.every(({ checks }) => checks <= plainSteps)) {
      return this.#validateHere(schema, known, data)
    }
    return this.#inProcess((there) => this.#validateThere(there, schema, known.plan, data, steps))
  }

  async close(): Promise<void> {
    this.#pool.close()
  }

  #knownSchema({ hash, schema }: AdmittedSchema): KnownSchema {
    const known = this.#known.get(hash) ?? { plan: planSchema(schema) }
    this.#known.set(hash, known)
    return known
  }

  #plainCheck({ schema }: AdmittedSchema, known: KnownSchema): Check | Refusal {
    if (known.check) return known.check
    const check = compileSchema(schema)
    if (!isRefusal(check)) known.check = check
    return check
  }

  async #validateHere(
    schema: AdmittedSchema,
    known: KnownSchema,
    data: readonly unknown[],
  ): Promise<readonly unknown[] | Refusal> {
    const check = this.#plainCheck(schema, known)
    if (isRefusal(check)) return check
    const errors = new ErrorList(data.length)
    const values: unknown[] = []
    const turn = new Turn()
    for (const [index, given] of data.entries()) {
      if (errors.isFull) break
      const value = known.plan.hasDefaults ? copyData(given) : given
      errors.check(check, value, index)
      values.push(value)
      if (turn.isOver()) await turn.next()
    }
    return errors.refusal() ?? values
  }

  async #validateThere(
    there: ValidationProcess,
    schema: AdmittedSchema,
    { hasDefaults }: SchemaPlan,
    data: readonly unknown[],
    steps: readonly MeasuredValue[],
  ): Promise<readonly unknown[] | Refusal> {
    const filled: unknown[] = []
    let leftMs = this.#validateMs
    for (const { from, to } of portions(steps)) {
      const values = JSON.stringify(data.slice(from, to))
      const request = {
        kind: 'validate',
        hash: schema.hash,
        values,
        from,
        of: data.length,
        hasDefaults,
      } as const
      let answer = await there.ask(request, leftMs)
      if (answer.kind === 'unknown') {
        const refusal = await this.#compile(there, schema)
        if (refusal !== null) return refusal
        answer = await there.ask(request, leftMs)
      }
      leftMs -= answer.usedMs
      if (answer.kind === 'overdue' || leftMs <= 0) return tooSlow(this.#validateMs)
      if (answer.kind === 'refused') return answer.refusal
      if (answer.kind === 'done' && answer.values !== undefined)
        filled.push(...(JSON.parse(answer.values) as unknown[]))
    }
    return hasDefaults ? filled : data
  }

  async #compile(there: ValidationProcess, { hash, schema }: AdmittedSchema): Promise<Refusal | null> {
    const answer = await there.ask({ kind: 'compile', hash, schema }, this.#compileMs)
    if (answer.kind === 'overdue') {
      return refuse('schema_too_costly', `The schema takes longer than ${this.#compileMs} ms to compile.`, {
        limitMs: this.#compileMs,
      })
    }
    return answer.kind === 'refused' ? answer.refusal : null
  }

  async #inProcess<Answer>(
    work: (there: ValidationProcess) => Promise<Answer | Refusal>,
  ): Promise<Answer | Refusal> {
    const answer = await this.#pool.lend(work)
    return answer === overloaded ? refuse('validation_busy') : answer
  }
}

interface MeasuredValue {
  readonly steps: number
  /** An upper bound on what validating it takes. */
  readonly checks: number
}

async function measureAll(
  { cost, hasFormats }: SchemaPlan,
  data: readonly unknown[],
): Promise<readonly MeasuredValue[] | Refusal> {
  const measured: MeasuredValue[] = []
  const turn = new Turn()
  for (const [index, value] of data.entries()) {
    const weight = measureData(value, hasFormats, data.length > 1 ? index : undefined)
    if (isRefusal(weight)) return weight
    measured.push({ steps: weight.all, checks: weight.top * cost.here + weight.all * cost.below })
    if (turn.isOver()) await turn.next()
  }
  return measured
}

/** Neighbouring values that are sent together; at least one each. */
function* portions(
  values: readonly MeasuredValue[],
): Generator<{ readonly from: number; readonly to: number }> {
  let from = 0
  let steps = 0
  for (const [at, value] of values.entries()) {
    if (at > from && steps + value.steps > portionSteps) {
      yield { from, to: at }
      from = at
      steps = 0
    }
    steps += value.steps
  }
  if (from < values.length) yield { from, to: values.length }
}

/** How long this has held up the event loop. */
class Turn {
  #startedAt = performance.now()

  isOver(): boolean {
    return performance.now() - this.#startedAt > turnMs
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#startedAt = performance.now()
  }
}

function tooSlow(limitMs: number): Refusal {
  return refuse('validation_too_slow', `The data takes longer than ${limitMs} ms to validate.`, { limitMs })
}
