// millrace whoami

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { facts } from '../output/table.ts'
import { showUntil } from '../output/time.ts'

export function whoamiCommand(): Command {
  const command = withTarget(new Command('whoami'))
    .description('who you are, and at which server')
    .action(async (flags: GlobalFlags) => {
      const { api, target, terminal } = sessionOf(flags)
      const me = await api.ask('GET /api/auth/me', {})
      const { url, from, tokenFrom, profile, room: means } = target
      const told = { ...me, url, from, tokenFrom, profile, means }
      terminal.result(told, (shown) =>
        facts([
          ['user', `${shown.user} (${shown.role})`],
          ['server', `${shown.url} (from ${shown.from})`],
          ['credential', `from ${shown.tokenFrom}`],
          ['reaches', shown.room === null ? 'everything this user may' : `room ${shown.room} only`],
          ['room', shown.means ?? 'none is meant; say --room'],
          ['ends', showUntil(shown.expiresAt, Date.now())],
        ]),
      )
    })
  return withExamples(command, 'millrace whoami', "millrace whoami --json | jq -r '.user'")
}
