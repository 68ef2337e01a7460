// millrace users ls

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { showUsers } from './show-users.ts'

export function listUsersCommand(): Command {
  const command = withTarget(new Command('ls'))
    .description('all accounts (admins)')
    .action(async (flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      terminal.result(await api.ask('GET /api/users', {}), ({ users }) => showUsers(users))
    })
  return withExamples(command, 'millrace users ls')
}
