// For commands that serve: without a credential there is nothing to begin with.

import type { Target } from '../connection/target.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'

export function requireToken({ token, url, from }: Target): string {
  if (token !== null) return token
  throw new CliError(`There is no credential for ${url} (from ${from}).`, {
    exitCode: exitCodes.forbidden,
    code: 'token_missing',
    next: 'Sign in with `millrace login`, or set MILLRACE_TOKEN. `millrace dev` signs you in by itself.',
  })
}
