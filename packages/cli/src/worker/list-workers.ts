// millrace workers ls

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { showWorkers } from './show-worker.ts'

export function listWorkersCommand(): Command {
  const command = withTarget(new Command('ls'))
    .description('your workers and those of the rooms you may see')
    .action(async (flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      const reply = await api.ask('GET /api/workers', {})
      terminal.result(reply, ({ workers }) => showWorkers(workers, terminal.style, terminal.width))
    })
  return withExamples(command, 'millrace workers ls')
}
