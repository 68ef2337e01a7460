// millrace init worker: a small worker that runs as it is, to be changed into one's own. Nothing is ever overwritten.

import { constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { withExamples, withJson } from '../command.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { createTerminal } from '../output/terminal.ts'

type Language = 'ts' | 'py'

interface InitFlags {
  readonly lang: Language
  readonly json?: boolean
}

interface Written {
  readonly folder: string
  readonly files: readonly string[]
  /** What to type next, in order. */
  readonly next: readonly string[]
}

const templates = fileURLToPath(new URL('../../templates/', import.meta.url))

export function initWorkerCommand(): Command {
  const command = new Command('worker')
    .description('write a small worker that runs as it is')
    .argument('[folder]', 'where to; made if it is not there', 'my-worker')
    .addOption(
      new Option('--lang <language>', 'TypeScript or Python')
        .choices(['ts', 'py'] satisfies Language[])
        .default('ts' satisfies Language),
    )
  return withExamples(
    withJson(command),
    'millrace init worker',
    'millrace init worker --lang py primes',
  ).action((folder: string, { lang, json }: InitFlags) => {
    const written = writeTemplate(lang, folder)
    createTerminal(json === true).result(written, () => show(written))
  })
}

function writeTemplate(lang: Language, folder: string): Written {
  const from = join(templates, lang)
  const to = resolve(folder)
  const files = readdirSync(from)
  try {
    mkdirSync(to, { recursive: true })
    const there = new Set(readdirSync(to))
    const taken = files.filter((file) => there.has(file))
    if (taken.length > 0) throw occupied(folder, taken)
    for (const file of files) copyFileSync(join(from, file), join(to, file), constants.COPYFILE_EXCL)
  } catch (error) {
    throw error instanceof CliError ? error : unwritable(folder, error)
  }
  return { folder: to, files, next: nextCommands(lang, relative('.', to) || '.') }
}

function nextCommands(lang: Language, folder: string): readonly string[] {
  if (lang === 'ts') {
    return [
      `${self} worker ${join(folder, 'worker.ts')} --watch`,
      `${self} submit RandomWalk --set steps=500 --follow`,
    ]
  }
  const python = join(folder, '.venv/bin/python')
  return [
    `python3 -m venv ${join(folder, '.venv')}`,
    `${python} -m pip install -r ${join(folder, 'requirements.txt')}`,
    `${python} ${join(folder, 'worker.py')}`,
    `${self} submit Primes --set up_to=1000 --follow`,
  ]
}

function show({ folder, files, next }: Written): string {
  const own = relative('.', folder) || '.'
  const [last, ...before] = [...next].reverse()
  return [
    `Wrote ${listed(files.map((file) => join(own, file)))}. With a server running (${self} dev):`,
    '',
    ...before.reverse().map((command) => `  ${command}`),
    '',
    'and in another terminal:',
    '',
    `  ${last}`,
    '',
  ].join('\n')
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter((part) => part !== '').join(' and ')
}

function occupied(folder: string, taken: readonly string[]): CliError {
  return new CliError(`${folder} has ${taken.join(' and ')} already, and nothing is overwritten.`, {
    exitCode: exitCodes.usage,
    code: 'file_exists',
    next: `Name another folder: \`${self} init worker <folder>\`.`,
  })
}

function unwritable(folder: string, error: unknown): CliError {
  return new CliError(`${folder} cannot be written: ${(error as Error).message}`, {
    exitCode: exitCodes.usage,
    code: 'folder_unusable',
    next: `Name another folder: \`${self} init worker <folder>\`.`,
  })
}
