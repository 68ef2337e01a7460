// The environment. Of several variables of one option the first that is set counts.

import type { OptionName } from './config.ts'
import type { Given, GivenValues } from './config-source.ts'
import { optionNames, optionOf } from './options.ts'

/** A variable that is set to nothing counts as not set: that is how compose files and shells leave one out. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): GivenValues {
  const given = new Map<OptionName, Given>()
  for (const option of optionNames) {
    const set = optionOf(option).env.find(({ name }) => (env[name] ?? '') !== '')
    if (!set) continue
    const { name, unit } = set
    const found = { raw: env[name], source: { from: 'environment', name } } as const
    given.set(option, unit === undefined ? found : { ...found, unit })
  }
  return given
}
