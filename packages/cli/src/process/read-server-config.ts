// The server's configuration from a command line: flags, environment, file. Everything that is wrong is told at once.

import { readFileSync } from 'node:fs'
import { type ReadConfig, readConfig, showProblems } from '@millrace/server'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'

export interface ConfigFrom {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

export function readServerConfig({ args, env }: ConfigFrom): ReadConfig {
  const read = readConfig({ args, env, readFile: (path) => readFileSync(path, 'utf8') })
  if ('config' in read) return read
  const problems = 'problems' in read ? read.problems : []
  throw new CliError(showProblems({ problems }), {
    exitCode: exitCodes.usage,
    code: 'config_invalid',
    next: `\`${self} start --help\` says what each option is and what it may be.`,
    details: problems,
  })
}
