// Every option as an admin may see it on a screen: what it is, its value and where that comes from. Secrets are masked.

import type { Config } from './config.ts'
import { optionNames, optionOf, shownValue } from './options.ts'
import { type ConfigRow, type ConfigSources, describeConfig } from './read-config.ts'

export interface OptionRow extends ConfigRow {
  readonly group: string
  readonly is: string
}

/** Without sources, which a server that a program starts may lack, nobody can tell who chose a value. */
export function describeOptions(config: Config, sources: ConfigSources | undefined): readonly OptionRow[] {
  const rows = sources
    ? describeConfig(config, sources)
    : optionNames.map((option) => ({ option, value: shownValue(option, config[option]), source: 'program' }))
  return rows.map((row) => {
    const { group, is } = optionOf(row.option)
    return { ...row, group, is }
  })
}
