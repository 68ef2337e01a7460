// millrace jobs ls

import type { JobSummary, JobsQuery } from '@millrace/protocol'
import { Command, InvalidArgumentError } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { parseInstant } from '../output/time.ts'
import { showJobs } from './show-job.ts'

interface Flags extends GlobalFlags {
  readonly all?: boolean
  readonly status?: string
  readonly extension?: string
  readonly category?: string
  readonly submitter?: string
  readonly deadLetters?: boolean
  readonly since?: string
  readonly until?: string
  readonly search?: string
  readonly oldest?: boolean
  readonly limit: number
  readonly cursor?: string
}

const pageSize = 500

export function listJobsCommand(): Command {
  const command = withRoom(new Command('ls'))
    .description('jobs of a room, newest first; of all rooms with --all, or when no room is meant')
    .option('--all', 'of all rooms you may see')
    .option(
      '--status <list>',
      'pending, assigned, running, completed, failed, cancelled; several with commas',
    )
    .option('--extension <extension>', 'name or category/name')
    .option('--category <category>', 'modifiers, selections, analysis, …')
    .option('--submitter <user>', 'of one user')
    .option('--dead-letters', 'only those that failed for good')
    .option('--since <time>', 'from then on: 2h, 1d, or a date')
    .option('--until <time>', 'before: 2h, 1d, or a date')
    .option('--search <text>', 'text that the data contains')
    .option('--oldest', 'oldest first')
    .option('-n, --limit <count>', 'how many', count, 20)
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

function queryOf({
  status,
  extension,
  submitter,
  deadLetters,
  since,
  until,
  search,
  oldest,
  ...rest
}: Flags): JobsQuery {
  const [name, category = rest.category] = (extension ?? '').split('/').toReversed()
  return {
    ...(status !== undefined && { status }),
    ...(name && { extension: name }),
    ...(category !== undefined && { category }),
    ...(submitter !== undefined && { submitter }),
    ...(deadLetters === true && { deadLetters }),
    ...(since !== undefined && { since: Math.round(parseInstant(since, '--since', 'back')) }),
    ...(until !== undefined && { until: Math.round(parseInstant(until, '--until', 'back')) }),
    ...(search !== undefined && { search }),
    ...(oldest === true && { order: 'oldest' as const }),
  }
}

function count(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number <= 100_000) return number
  throw new InvalidArgumentError('It has to be a whole number from 1 to 100000.')
}
