// millrace users rm

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'

export function removeUserCommand(): Command {
  const command = withTarget(new Command('rm'))
    .description('remove an account and end its sessions (admins)')
    .argument('<user>', 'whose')
    .action(async (user: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      await api.ask('DELETE /api/users/{user}', { params: { user } })
      terminal.result({ user, removed: true }, () => `${user} has no account any more.`)
    })
  return withExamples(command, 'millrace users rm alice')
}
