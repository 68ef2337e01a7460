// Where a value came from, before anybody has looked at it.

import type { OptionName } from './config.ts'
import type { Unit } from './quantity.ts'

export interface ConfigSource {
  readonly from: 'flag' | 'environment' | 'file' | 'default'
  /** The flag, variable or file key as it was written; null for a default. */
  readonly name: string | null
}

export interface Given {
  readonly raw: unknown
  readonly source: ConfigSource
  /** Of a bare number, where the source has another than the option. */
  readonly unit?: Unit
}

export type GivenValues = ReadonlyMap<OptionName, Given>
