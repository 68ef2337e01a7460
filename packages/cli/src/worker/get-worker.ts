// millrace workers get

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { showWorker } from './show-worker.ts'

export function getWorkerCommand(): Command {
  const command = withTarget(new Command('get'))
    .description('one worker: what it has, what it serves, how it is')
    .argument('<worker>', 'its id')
    .action(async (id: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      const worker = await api.ask('GET /api/workers/{id}', { params: { id } })
      terminal.result(worker, (shown) => showWorker(shown, terminal.style))
    })
  return withExamples(command, 'millrace workers get gpu-box')
}
