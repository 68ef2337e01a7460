// What the server and its validating processes say to each other.

import type { Refusal } from '@millrace/domain'

export type ValidationRequest =
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

export type ValidationAnswer =
  | { readonly kind: 'done'; readonly values?: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The schema has to be compiled there first. */
  | { readonly kind: 'unknown' }
  /** It was not done in time, or the process ended over it. */
  | { readonly kind: 'overdue' }

export interface ToValidation {
  readonly request: ValidationRequest
  readonly limitMs: number
}

/** What it took is time on a processor: a busy machine makes nothing costly. */
export type TimedAnswer = ValidationAnswer & { readonly usedMs: number }

export type FromValidation = 'ready' | TimedAnswer
