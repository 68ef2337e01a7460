// The command line: `--name value`, `--name=value`, for switches also `--name` and `--no-name`, or `--name off`. A list may be given
// several times. A flag nobody knows is a problem, with the one that was probably meant.

import type { OptionName } from './config.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { Given, GivenValues } from './config-source.ts'
import { didYouMean } from './nearest-name.ts'
import { optionNames, optionOf } from './options.ts'

export interface ReadArguments {
  readonly given: GivenValues
  readonly configPath: string | null
  readonly help: boolean
  readonly problems: readonly ConfigProblem[]
}

interface FlagUse {
  /** Without its dashes; null for a word that is no flag. */
  readonly flag: string | null
  readonly written: string
  readonly value: string | undefined
}

const nameByFlag: ReadonlyMap<string, OptionName> = new Map(
  optionNames.flatMap((name) => {
    const { flag } = optionOf(name)
    return flag === null ? [] : [[flag, name] as const]
  }),
)

const knownFlags: readonly string[] = [...nameByFlag.keys(), 'config', 'help']

export function readArguments(args: readonly string[]): ReadArguments {
  const given = new Map<OptionName, Given>()
  const problems: ConfigProblem[] = []
  let configPath: string | null = null
  let help = false
  for (const use of pairUp(args)) {
    if (use.flag === 'help') help = true
    else if (use.flag === 'config' && use.value !== undefined) configPath = use.value
    else {
      const problem = addUse(use, given)
      if (problem !== null) problems.push({ option: use.written, from: 'the command line', message: problem })
    }
  }
  return { given, configPath, help, problems }
}

/** Gives each flag that takes a value the word after it; one nobody knows too, so that it is one problem and not two. */
function pairUp(args: readonly string[]): readonly FlagUse[] {
  const uses: FlagUse[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    const { flag, value } = /^--(?<flag>[^=]+)(?:=(?<value>.*))?$/s.exec(word)?.groups ?? {}
    const next = args[at + 1]
    if (word === '-h' || word === '--help') uses.push({ flag: 'help', written: word, value: undefined })
    else if (flag === undefined) uses.push({ flag: null, written: word, value: undefined })
    else if (
      value !== undefined ||
      (switchOf(flag) && !/^(?:on|off|true|false)$/.test(next ?? '')) ||
      next === undefined ||
      next.startsWith('--')
    ) {
      uses.push({ flag, written: `--${flag}`, value })
    } else {
      uses.push({ flag, written: word, value: next })
      at++
    }
  }
  return uses
}

/** Answers what is wrong with it, or null when it was added. */
function addUse({ flag, written, value }: FlagUse, given: Map<OptionName, Given>): string | null {
  if (flag === null) return 'This is no flag, and nothing else is taken here.'
  const name = switchOf(flag) ?? nameByFlag.get(flag)
  if (name === undefined) return flag === 'config' ? 'It has no value.' : unknownFlag(flag)
  const { kind, flag: ownFlag } = optionOf(name)
  const negated = flag !== ownFlag
  if (negated && value !== undefined) return `It takes no value; say --${ownFlag}=${value} instead.`
  const raw = kind.isSwitch ? (value ?? !negated) : value
  if (raw === undefined) return 'It has no value.'
  const earlier = given.get(name)
  if (earlier && !kind.isList) return `It is given more than once, first as ${earlier.source.name}.`
  const all = earlier ? `${String(earlier.raw)},${String(raw)}` : raw
  given.set(name, { raw: all, source: { from: 'flag', name: written } })
  return null
}

function switchOf(flag: string): OptionName | null {
  const name = nameByFlag.get(flag) ?? nameByFlag.get(flag.replace(/^no-/, ''))
  return name !== undefined && optionOf(name).kind.isSwitch ? name : null
}

function unknownFlag(flag: string): string {
  const secret = optionNames.find((name) => optionOf(name).flag === null && kebabCase(name) === flag)
  if (secret === undefined) return `There is no such flag.${didYouMean(flag, knownFlags, '--')}`
  const variable = optionOf(secret).env[0]?.name
  return `Others on the machine can read a secret on a command line; use ${variable} or the file.`
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
