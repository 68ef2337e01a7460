// millrace jobs ls

import type { JobSummary, JobsQuery } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { countOf } from '../output/count-of.ts'
import { type FilterFlags, filterOf, withJobFilter } from './job-filter.ts'
import { showJobs } from './show-job.ts'

interface Flags extends GlobalFlags, FilterFlags {
  readonly all?: boolean
  readonly oldest?: boolean
  readonly limit: number
  readonly cursor?: string
}

const pageSize = 500

export function listJobsCommand(): Command {
  const command = withRoom(withJobFilter(new Command('ls')))
    .description('jobs of a room, newest first; of all rooms with --all, or when no room is meant')
    .option('--all', 'of all rooms you may see')
    .option('--oldest', 'oldest first')
    .option('-n, --limit <count>', 'how many', (text) => countOf(text, 100_000), 20)
    .option('--cursor <cursor>', 'go on where an earlier page ended')
    .action(async (flags: Flags) => {
      const session = sessionOf(flags)
      const { terminal, target } = session
      const room = flags.all === true ? null : target.room
      const page = await pages(session, room, flags)
      terminal.result(page, ({ jobs }) =>
        showJobs(jobs, { style: terminal.style, width: terminal.width, rooms: room === null }),
      )
      if (page.cursor !== undefined)
        terminal.say(`More: the same with --cursor ${page.cursor}, or a larger --limit`)
    })
  return withExamples(
    command,
    'millrace jobs ls --status failed --since 1d',
    'millrace jobs ls --all --extension modifiers/Relax --limit 100',
    "millrace jobs ls --search benzene --json | jq -r '.jobs[].id'",
  )
}

interface Pages {
  readonly jobs: readonly JobSummary[]
  readonly cursor?: string
  /** How many were looked at, matching or not. */
  readonly looked: number
}

/** As many pages as it takes; a search that finds little ends where the server's bound is and says so by its cursor. */
async function pages({ api }: Session, room: string | null, flags: Flags): Promise<Pages> {
  const asked = queryOf(flags)
  const jobs: JobSummary[] = []
  let looked = 0
  let cursor = flags.cursor
  do {
    const limit = Math.min(pageSize, flags.limit - jobs.length)
    const query = { ...asked, limit, ...(cursor !== undefined && { cursor }) }
    const page =
      room === null
        ? await api.ask('GET /api/jobs', { query })
        : await api.ask('GET /api/rooms/{room}/jobs', { params: { room }, query })
    jobs.push(...page.jobs)
    looked += page.looked
    cursor = page.cursor
    if (page.jobs.length < limit) break
  } while (cursor !== undefined && jobs.length < flags.limit)
  return { jobs, looked, ...(cursor !== undefined && { cursor }) }
}

function queryOf(flags: Flags): JobsQuery {
  return { ...filterOf(flags), ...(flags.oldest === true && { order: 'oldest' as const }) }
}
