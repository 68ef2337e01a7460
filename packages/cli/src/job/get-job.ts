// millrace jobs get

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { plainValue } from '../output/plain-text.ts'
import { findJob } from './find-job.ts'
import { showJob } from './show-job.ts'

export function getJobCommand(): Command {
  const command = withRoom(new Command('get'))
    .description('one job with its data, attempts and result')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .action(async (given: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const params = await findJob(session, given)
      const job = await session.api.ask('GET /api/rooms/{room}/jobs/{id}', { params })
      const why =
        job.status === 'pending' && !session.terminal.json
          ? plainValue(await session.api.ask('GET /api/rooms/{room}/jobs/{id}/why', { params }))
          : null
      session.terminal.result(job, (shown) => showJob(shown, session.terminal, why))
    })
  return withExamples(command, 'millrace jobs get 3fa9c01b', 'millrace jobs get 3fa9c01b --json | jq .result')
}
