// Runs a compiled schema over values, the same on the event loop and in a process.

import type { Refusal } from '@millrace/domain'
import type { Check } from './compile-schema.ts'
import { type DataError, describeError, maxErrors, refuseData } from './describe-errors.ts'

/** Collects what is wrong with values that are checked one by one, up to as many errors as are told. */
export class ErrorList {
  readonly #numbered: boolean
  readonly #errors: DataError[] = []

  /** With one value alone, errors do not say which. */
  constructor(values: number) {
    this.#numbered = values > 1
  }

  get isFull(): boolean {
    return this.#errors.length >= maxErrors
  }

  check(check: Check, value: unknown, index: number): void {
    for (const error of (check(value) ?? []).slice(0, maxErrors - this.#errors.length)) {
      const described = describeError(error)
      this.#errors.push(this.#numbered ? { index, ...described } : described)
    }
  }

  refusal(): Refusal | null {
    return this.#errors.length === 0 ? null : refuseData(this.#errors)
  }
}
