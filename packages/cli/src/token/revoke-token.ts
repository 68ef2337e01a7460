// millrace tokens revoke

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'

export function revokeTokenCommand(): Command {
  const command = withTarget(new Command('revoke'))
    .description('revoke a token by its id; whoever uses it is cut off')
    .argument('<id>', 'its id, as `tokens ls` has it')
    .action(async (id: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      await api.ask('DELETE /api/tokens/{id}', { params: { id } })
      terminal.result({ id, revoked: true }, () => `Token ${id} is revoked.`)
    })
  return withExamples(command, 'millrace tokens revoke 0197a1b2-c3d4-7000-8000-000000000001')
}
