// Imports a worker's file. What is wrong with it is said with its line, without the loader's own frames.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WorkerRefused } from '@millrace/worker'
import { refused } from '../connection/api.ts'
import type { Target } from '../connection/target.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'

export async function importFile(url: string, target: Target): Promise<Readonly<Record<string, unknown>>> {
  const path = fileURLToPath(url)
  if (!existsSync(path)) {
    throw new CliError(`There is no file ${path}.`, {
      exitCode: exitCodes.usage,
      code: 'file_missing',
      next: `\`${self} init worker\` writes one to begin with.`,
    })
  }
  try {
    return (await import(url)) as Record<string, unknown>
  } catch (error) {
    // The file starts its own worker, and the server said no: that is an answer, not a fault of the file.
    if (error instanceof WorkerRefused) throw refused(error.problem.status, error.problem, target)
    throw new CliError(`${path} could not be loaded.\n${showFault(error)}`, {
      exitCode: exitCodes.usage,
      code: 'file_unusable',
      ...nextStepOf(error),
    })
  }
}

function showFault(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const own = stack.split('\n').filter((line) => !/^ +at .*(?:node:internal|\/cli\/src\/)/.test(line))
  return own.map((line) => `  ${line}`.trimEnd()).join('\n')
}

function nextStepOf(error: unknown): { next?: string } {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    return {
      next: 'Types are only left out, not compiled: enums, namespaces and parameter properties are not.',
    }
  }
  if (code === 'ERR_MODULE_NOT_FOUND') {
    return { next: 'Imports of files carry their ending, as in `./model.ts`; packages have to be installed.' }
  }
  return {}
}
