// For commands that serve: without a credential there is nothing to begin with.

import { signInAdvice } from '../connection/sign-in-advice.ts'
import type { Target } from '../connection/target.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'

export function requireToken(target: Target): string {
  const { token, url, from } = target
  if (token !== null) return token
  throw new CliError(`There is no credential for ${url} (from ${from}).`, {
    exitCode: exitCodes.forbidden,
    code: 'token_missing',
    next: `${signInAdvice(target)} \`${self} dev\` signs you in by itself.`,
  })
}
