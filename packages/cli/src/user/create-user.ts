// millrace users create

import { Command, Option } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { askNewPassword } from '../output/prompt.ts'
import { showUser } from './show-users.ts'

export function createUserCommand(): Command {
  const command = withTarget(new Command('create'))
    .description('make an account (admins); the password is asked for, or read from stdin')
    .argument('<name>', "1 to 64 lower-case letters, digits, '-', '_' and '.'")
    .addOption(new Option('--role <role>', 'what it may do').choices(['user', 'admin']).default('user'))
    .action(async (user: string, flags: GlobalFlags & { readonly role: 'user' | 'admin' }) => {
      const { api, terminal } = sessionOf(flags)
      const password = await askNewPassword(user)
      terminal.result(
        await api.ask('POST /api/users', { body: { user, password, role: flags.role } }),
        showUser,
      )
    })
  return withExamples(
    command,
    'millrace users create alice',
    'millrace users create bob --role admin < password.txt',
  )
}
