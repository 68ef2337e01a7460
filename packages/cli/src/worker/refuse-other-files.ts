// A folder, or a worker in another language, is not what `millrace worker` runs; it tells what was meant.

import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { CliError, exitCodes } from '../output/cli-error.ts'

/** The one that `millrace init worker` writes, and what people call theirs. */
const likelyNames = ['worker', 'index', 'main']
const endings = ['.ts', '.mts', '.js', '.mjs']

/** One that is not there is left alone: with --watch it may yet appear. */
export function refuseOtherFiles(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw isFolder(file)
  if (extname(file) === '.py') {
    const next = `It connects by itself; run it with Python: \`python3 ${file}\`.`
    throw unusable(
      `${file} is a worker in Python, and this runs TypeScript and JavaScript.`,
      'file_python',
      next,
    )
  }
}

function isFolder(folder: string): CliError {
  const there = new Set(readdirSync(folder))
  const names = likelyNames.flatMap((name) => endings.map((ending) => name + ending))
  const found = names.find((name) => there.has(name))
  const next = found
    ? `Did you mean ${join(folder, found)}?`
    : there.has('worker.py')
      ? `Its worker is in Python; run that with Python: \`python3 ${join(folder, 'worker.py')}\`.`
      : 'Name the file in it that exports the extensions.'
  return unusable(`${folder} is a folder.`, 'file_is_folder', next)
}

function unusable(message: string, code: string, next: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code, next })
}
