// millrace jobs dead: what failed for good and was not retried.

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { countOf } from '../output/count-of.ts'
import { self } from '../output/own-name.ts'
import { type FilterFlags, filterOf, withNarrowing } from './job-filter.ts'
import { showJobs } from './show-job.ts'

interface Flags extends GlobalFlags, FilterFlags {
  readonly limit: number
  readonly cursor?: string
}

export function deadLettersCommand(): Command {
  const command = withRoom(withNarrowing(new Command('dead')))
    .description('dead letters of a room: jobs that failed for good and were not retried')
    .option('-n, --limit <count>', 'how many', (text) => countOf(text, 500), 20)
    .option('--cursor <cursor>', 'go on where an earlier page ended')
    .action(async (flags: Flags) => {
      const { api, terminal, target } = sessionOf(flags)
      const { limit, cursor } = flags
      const page = await api.ask('GET /api/rooms/{room}/dead-letters', {
        params: { room: roomOf(target) },
        query: { ...filterOf(flags), limit, ...(cursor !== undefined && { cursor }) },
      })
      const { style, width } = terminal
      terminal.result(page, ({ jobs }) =>
        jobs.length === 0 ? 'No dead letters.' : showJobs(jobs, { style, width, rooms: false }),
      )
      if (page.cursor !== undefined) terminal.say(`More: the same with --cursor ${page.cursor}`)
      if (page.jobs.length > 0)
        terminal.say(`Retry them: ${self} jobs retry <job>…, or all with --dead-letters`)
    })
  return withExamples(
    command,
    'millrace jobs dead',
    'millrace jobs dead --extension modifiers/Relax --since 1d',
  )
}
