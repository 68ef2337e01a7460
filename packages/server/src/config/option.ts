// What an option is: where its value may come from, what it may be, and what an operator should know before turning it.

import type { Config } from './config.ts'
import type { Unit } from './quantity.ts'

/** How a text or a JSON value becomes the option's value, and how the value is shown again. */
export interface Kind<Value> {
  /** Completes the sentence "it has to be …". */
  readonly allowed: string
  /** `unit` is that of the source, where it differs from the option's own. Undefined: not allowed. */
  parse(raw: unknown, unit?: Unit): Value | undefined
  show(value: Value): string
  /** Set for what must not be shown: neither a refused value nor an accepted one is ever quoted. */
  readonly mask?: (value: Value) => string
  /** A switch needs no value on the command line and can be negated. */
  readonly isSwitch?: boolean
  /** A list takes a flag several times. */
  readonly isList?: boolean
}

export interface EnvironmentName {
  readonly name: string
  /** The unit of a bare number; absent: that of the option. */
  readonly unit?: Unit
}

/** A default that depends on other options. */
export interface DerivedDefault<Value> {
  readonly derive: (others: Config) => Value
  /** As the generated page says it. */
  readonly says: string
}

export interface Option<Value> {
  readonly group: string
  /** Null for secrets: whoever may list processes could read them. */
  readonly flag: string | null
  /** The first that is set counts. */
  readonly env: readonly EnvironmentName[]
  readonly kind: Kind<Value>
  readonly default: { readonly value: Value } | DerivedDefault<Value>
  /** One sentence. */
  readonly is: string
  /** What an operator notices with more of it, or with it switched on or set. */
  readonly more: string
  readonly less: string
}

export type Options = { readonly [Name in keyof Config]: Option<Config[Name]> }
