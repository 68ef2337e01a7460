// millrace users role and password: both end the sessions they concern.

import { Argument, Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { askNewPassword } from '../output/prompt.ts'
import { showUser } from './show-users.ts'

export function changeRoleCommand(): Command {
  const command = withTarget(new Command('role'))
    .description("change a user's role (admins); ends their sessions")
    .argument('<user>', 'whose')
    .addArgument(new Argument('<role>', 'the new one').choices(['user', 'admin']))
    .action(async (user: string, role: 'user' | 'admin', flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      terminal.result(
        await api.ask('PATCH /api/users/{user}', { params: { user }, body: { role } }),
        showUser,
      )
    })
  return withExamples(command, 'millrace users role alice admin')
}

export function changePasswordCommand(): Command {
  const command = withTarget(new Command('password'))
    .description('change a password, your own or (admins) another; ends the sessions of that user')
    .argument('<user>', 'whose')
    .action(async (user: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      const password = await askNewPassword(user)
      const changed = await api.ask('PATCH /api/users/{user}', { params: { user }, body: { password } })
      terminal.result(changed, () => `The password of ${user} is changed; their sessions have ended.`)
    })
  return withExamples(
    command,
    'millrace users password alice',
    'millrace users password alice < new-password.txt',
  )
}
