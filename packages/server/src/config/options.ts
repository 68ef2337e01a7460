// The table of all options: the one list from which flags, variables, file keys, checks, help and the generated page
// come.

import { accessOptions } from './access-options.ts'
import type { Config, OptionName } from './config.ts'
import { edgeOptions } from './edge-options.ts'
import { limitOptions } from './limit-options.ts'
import { operationOptions } from './operation-options.ts'
import type { Option, Options } from './option.ts'
import { placeOptions } from './place-options.ts'
import { poolOptions } from './pool-options.ts'

const options: Options = {
  ...placeOptions,
  ...accessOptions,
  ...limitOptions,
  ...edgeOptions,
  ...poolOptions,
  ...operationOptions,
}

export const optionNames: readonly OptionName[] = Object.keys(options) as OptionName[]

/** An option whose values are passed on and not looked at: those of all options have no type in common. */
export type AnyOption = Option<unknown>

export function optionOf(name: OptionName): AnyOption {
  return options[name] as AnyOption
}

/** The value as it may be shown to anybody. */
export function shownValue(name: OptionName, value: Config[OptionName]): string {
  const { kind } = optionOf(name)
  return (kind.mask ?? kind.show)(value)
}
