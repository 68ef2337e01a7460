// What may stand next on a command line: read off the tree of commands, and where a word names something (a room, a job)
// asked of whoever knows.

import type { Argument, Command, Option } from 'commander'
import { filesMark } from './completion-script.ts'

export interface Candidate {
  readonly value: string
  readonly about: string
}

/** What was typed before the word in question. */
export interface Typed {
  readonly options: Readonly<Record<string, string>>
  readonly operands: readonly string[]
}

/** By the placeholder of an argument or option: `<room>`, `<job>`, … */
export type NameSource = (kind: string, typed: Typed) => Promise<readonly Candidate[]>

export async function completeWords(
  program: Command,
  words: readonly string[],
  names: NameSource,
): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? ''
  const { command, option, typed } = walk(program, words.slice(0, -1))
  const found = await candidates(command, option, typed, current, names)
  return found.filter(({ value }) => value.startsWith(current) || value === filesMark)
}

interface Walked {
  readonly command: Command
  /** The one whose value comes next. */
  readonly option: Option | null
  readonly typed: Typed
}

function walk(program: Command, words: readonly string[]): Walked {
  let command = program
  let option: Option | null = null
  const options: Record<string, string> = {}
  const operands: string[] = []
  for (const word of words) {
    if (option) {
      options[option.attributeName()] = word
      option = null
    } else if (word.startsWith('-')) {
      const [flag, value] = word.split('=', 2)
      const known = command.options.find(({ long, short }) => flag === long || flag === short)
      if (known && value !== undefined) options[known.attributeName()] = value
      else if (known?.required) option = known
    } else {
      const next = operands.length === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (next) command = next
      else operands.push(word)
    }
  }
  return { command, option, typed: { options, operands } }
}

async function candidates(
  command: Command,
  option: Option | null,
  typed: Typed,
  current: string,
  names: NameSource,
): Promise<readonly Candidate[]> {
  if (option) return valuesOf(option.argChoices, placeholderOf(option.flags), typed, names)
  if (current.startsWith('-')) return optionsOf(command)
  if (command.commands.length > 0) return commandsOf(command)
  const argument = argumentAt(command, typed.operands.length)
  return argument ? valuesOf(argument.argChoices, argument.name(), typed, names) : optionsOf(command)
}

async function valuesOf(
  choices: readonly string[] | undefined,
  kind: string,
  typed: Typed,
  names: NameSource,
): Promise<readonly Candidate[]> {
  if (choices) return choices.map((value) => ({ value, about: '' }))
  return kind === 'file' || kind === 'folder' ? [{ value: filesMark, about: '' }] : names(kind, typed)
}

function argumentAt(command: Command, at: number): Argument | undefined {
  const { registeredArguments } = command
  const last = registeredArguments.at(-1)
  return registeredArguments[at] ?? (last?.variadic ? last : undefined)
}

function optionsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ value: long, about: description }] : []))
}

function commandsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), about: one.description() }))
}

/** `room` of `--room <room>`. */
function placeholderOf(flags: string): string {
  return /[<[]([^>\].]+)/.exec(flags)?.[1] ?? ''
}
