// millrace logout: the server revokes the token, and the profile is forgotten.

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { dropProfile } from '../connection/profile.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'

export function logoutCommand(): Command {
  const command = withTarget(new Command('logout'))
    .description('end the session and forget the profile')
    .action(async (flags: GlobalFlags) => {
      const { api, target, terminal } = sessionOf(flags)
      if (target.token === null) {
        throw new CliError(`You are not signed in to ${target.url}.`, {
          exitCode: exitCodes.forbidden,
          code: 'not_signed_in',
        })
      }
      const revoked = await api.ask('POST /api/auth/logout', {}).then(
        () => true,
        (error: unknown) => {
          terminal.warn(`The token could not be revoked and holds until it ends: ${(error as Error).message}`)
          return false
        },
      )
      if (target.profile !== null) dropProfile(process.env, target.profile)
      terminal.result({ url: target.url, profile: target.profile, revoked }, (shown) =>
        shown.profile === null ? `Signed out of ${shown.url}.` : `Profile ${shown.profile} is forgotten.`,
      )
    })
  return withExamples(command, 'millrace logout', 'millrace logout --profile demo')
}
