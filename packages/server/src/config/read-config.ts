// Puts the configuration together: flag before environment before file before default. Everything that is wrong is told
// at once; nothing wrong is ever replaced by a default.

import type { Config, OptionName } from './config.ts'
import type { ConfigProblem, ConfigProblems } from './config-problem.ts'
import { configRules } from './config-rules.ts'
import type { ConfigSource, Given, GivenValues } from './config-source.ts'
import { optionNames, optionOf, shownValue } from './options.ts'
import { readArguments } from './read-arguments.ts'
import { readConfigFile } from './read-config-file.ts'
import { readEnvironment } from './read-environment.ts'
import { renderHelp } from './render-help.ts'

export interface ConfigInput {
  /** What follows the command on the command line. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly readFile: (path: string) => string
}

export type ConfigSources = { readonly [Name in OptionName]: ConfigSource }

export interface ReadConfig {
  readonly config: Config
  readonly sources: ConfigSources
}

export interface ConfigHelp {
  readonly help: string
}

export interface ConfigRow {
  readonly option: OptionName
  /** Secrets are masked. */
  readonly value: string
  readonly source: string
}

const configVariable = 'MILLRACE_CONFIG'

export function readConfig({ args, env, readFile }: ConfigInput): ReadConfig | ConfigProblems | ConfigHelp {
  const fromArguments = readArguments(args)
  if (fromArguments.help) return { help: renderHelp() }
  const path = fromArguments.configPath ?? (env[configVariable] || null)
  const fromFile = path === null ? null : readConfigFile(path, readFile)
  const places = [fromArguments.given, readEnvironment(env), fromFile?.given ?? new Map<OptionName, Given>()]

  const values = parseValues(places)
  const problems = [...fromArguments.problems, ...(fromFile?.problems ?? []), ...values.problems]
  const { config, sources } = withDefaults(values)
  const broken = brokenRules(config, sources, values.unusable)

  const all = [...problems, ...broken]
  return all.length > 0 ? { problems: all } : { config, sources }
}

export function describeConfig(config: Config, sources: ConfigSources): readonly ConfigRow[] {
  return optionNames.map((option) => {
    const { from, name } = sources[option]
    return { option, value: shownValue(option, config[option]), source: name ?? from }
  })
}

interface ParsedValues {
  readonly values: ReadonlyMap<OptionName, unknown>
  readonly sources: ReadonlyMap<OptionName, ConfigSource>
  readonly problems: readonly ConfigProblem[]
  readonly unusable: ReadonlySet<OptionName>
}

/** Only the value that counts is looked at: one that another overrides does no harm. */
function parseValues(places: readonly GivenValues[]): ParsedValues {
  const values = new Map<OptionName, unknown>()
  const sources = new Map<OptionName, ConfigSource>()
  const problems: ConfigProblem[] = []
  const unusable = new Set<OptionName>()
  for (const name of optionNames) {
    const given = places.map((place) => place.get(name)).find((found) => found !== undefined)
    if (!given) continue
    sources.set(name, given.source)
    const value = optionOf(name).kind.parse(given.raw, given.unit)
    if (value === undefined) {
      problems.push(notAllowed(name, given))
      unusable.add(name)
    } else values.set(name, value)
  }
  return { values, sources, problems, unusable }
}

function notAllowed(name: OptionName, { raw, source }: Given): ConfigProblem {
  const { allowed, mask } = optionOf(name).kind
  const quoted = mask ? 'Its value (not shown)' : typeof raw === 'string' ? `'${raw}'` : JSON.stringify(raw)
  const message = `${quoted} is not allowed; it has to be ${allowed}.`
  return { option: name, from: source.name ?? source.from, message }
}

/** Defaults that follow from other options come last, when those are known. */
function withDefaults({ values, sources }: ParsedValues): ReadConfig {
  const config = new Map<OptionName, unknown>(values)
  const soFar = (): Config => Object.fromEntries(config) as unknown as Config
  const missing = optionNames.filter((name) => !config.has(name))
  for (const name of missing) {
    const fallback = optionOf(name).default
    if ('value' in fallback) config.set(name, fallback.value)
  }
  for (const name of missing) {
    const fallback = optionOf(name).default
    if ('derive' in fallback) config.set(name, fallback.derive(soFar()))
  }
  const whence = optionNames.map(
    (name) => [name, sources.get(name) ?? { from: 'default', name: null }] as const,
  )
  return { config: soFar(), sources: Object.fromEntries(whence) as unknown as ConfigSources }
}

function brokenRules(
  config: Config,
  sources: ConfigSources,
  unusable: ReadonlySet<OptionName>,
): readonly ConfigProblem[] {
  const given = (name: OptionName): boolean => sources[name].from !== 'default'
  return configRules.flatMap(({ about, broken }) => {
    if (about.some((name) => unusable.has(name))) return []
    const message = broken(config, given)
    const { from, name } = sources[about[0]]
    return message === null ? [] : [{ option: about[0], from: name ?? from, message }]
  })
}
