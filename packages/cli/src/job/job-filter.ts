// The options that say which jobs are meant, the same for every command that takes several.

import type { JobsQuery } from '@millrace/protocol'
import { type Command, Option } from 'commander'
import { parseInstant } from '../output/time.ts'

export interface FilterFlags {
  readonly status?: string
  readonly extension?: string
  readonly category?: string
  readonly submitter?: string
  readonly user?: string
  readonly deadLetters?: boolean
  readonly since?: string
  readonly until?: string
  readonly search?: string
}

export type JobFilter = Pick<
  JobsQuery,
  'status' | 'category' | 'extension' | 'submitter' | 'deadLetters' | 'since' | 'until' | 'search'
>

const states = 'pending, assigned, running, completed, failed, cancelled; several with commas'

/** What narrows a list whose jobs all have one status. */
export function withNarrowing(command: Command): Command {
  return command
    .option('--extension <extension>', 'name or category/name')
    .option('--category <category>', 'modifiers, selections, analysis, …')
    .option('--submitter <user>', 'of one user')
    .addOption(new Option('--user <user>', 'the same as --submitter').hideHelp())
    .option('--since <time>', 'from then on: 2h, 1d, or a date')
    .option('--until <time>', 'before: 2h, 1d, or a date')
    .option('--search <text>', 'text that the data contains')
}

export function withJobFilter(command: Command): Command {
  return withNarrowing(
    command.option('--status <list>', states).option('--dead-letters', 'only those that failed for good'),
  )
}

export function filterOf(flags: FilterFlags): JobFilter {
  const { status, extension, deadLetters, since, until, search, submitter = flags.user } = flags
  const [name, category = flags.category] = (extension ?? '').split('/').toReversed()
  return {
    ...(status !== undefined && { status }),
    ...(name && { extension: name }),
    ...(category !== undefined && { category }),
    ...(submitter !== undefined && { submitter }),
    ...(deadLetters === true && { deadLetters }),
    ...(since !== undefined && { since: Math.round(parseInstant(since, '--since', 'back')) }),
    ...(until !== undefined && { until: Math.round(parseInstant(until, '--until', 'back')) }),
    ...(search !== undefined && { search }),
  }
}
