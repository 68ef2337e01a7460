// Which job is meant by an id, or by the beginning or the end of one. Ids begin with the instant they were made at, so a
// long beginning says where to look; an end is looked for among the newest jobs.

import type { JobSummary } from '@millrace/protocol'
import type { Session } from '../command.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { showAgo } from '../output/time.ts'
import { extensionOf } from './show-job.ts'

export interface FoundJob {
  readonly room: string
  readonly id: string
}

const wholeId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const partOfId = /^[0-9a-f-]{4,36}$/
const pageSize = 500
const maxPages = 10

export async function findJob(session: Session, given: string): Promise<FoundJob> {
  const named = given.toLowerCase().replace(/^[…*.]+/, '')
  if (!partOfId.test(named)) throw notAnId(given)
  const { room } = session.target
  const here = room === null ? [] : await fittingJobs(session, named, room)
  const found = here.length > 0 ? here : await elsewhere(session, named)
  const [job, another] = found
  if (!job) throw noSuchJob(given, room)
  if (another) throw ambiguous(given, found)
  return job
}

/** A token for one room does not see the others; then there is nothing more to look at. */
async function elsewhere(session: Session, named: string): Promise<readonly JobSummary[]> {
  try {
    return await fittingJobs(session, named, null)
  } catch (error) {
    if (session.target.room !== null && isForbidden(error)) return []
    throw error
  }
}

async function fittingJobs(
  { api }: Session,
  named: string,
  room: string | null,
): Promise<readonly JobSummary[]> {
  const when = madeAt(named)
  const found: JobSummary[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = { limit: pageSize, ...when, ...(cursor !== undefined && { cursor }) }
    const { jobs, cursor: next } =
      room === null
        ? await api.ask('GET /api/jobs', { query })
        : await api.ask('GET /api/rooms/{room}/jobs', { params: { room }, query })
    found.push(...jobs.filter(({ id }) => id.startsWith(named) || id.endsWith(named)))
    // Beginnings are found at their instant; of ends the newest that fits is as good as certain, but another may come.
    cursor = next
    if (cursor === undefined || wholeId.test(named)) break
  }
  return found
}

/** The instant that twelve digits of the beginning name. */
function madeAt(named: string): { readonly since?: number; readonly until?: number } {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})(?:-|$)/.exec(named) ?? []
  if (high === undefined || low === undefined) return {}
  const since = Number.parseInt(high + low, 16)
  return since < 8_640_000_000_000 ? { since, until: since + 1 } : {}
}

function notAnId(given: string): CliError {
  return new CliError(`'${given}' is no id of a job, nor four or more characters of its beginning or end.`, {
    exitCode: exitCodes.usage,
    code: 'job_id_invalid',
    next: `\`${self} jobs ls\` lists jobs with the ends of their ids.`,
  })
}

function noSuchJob(given: string, room: string | null): CliError {
  const where = room === null ? 'any room you may see' : `room ${room} or any other you may see`
  return new CliError(`There is no job '${given}' in ${where}.`, {
    exitCode: exitCodes.refused,
    code: 'job_not_found',
    next: `Ended jobs are kept for a day unless their policy says otherwise. \`${self} jobs ls\` lists what is there.`,
  })
}

function ambiguous(given: string, jobs: readonly JobSummary[]): CliError {
  const now = Date.now()
  const lines = jobs
    .slice(0, 10)
    .map((job) => `${job.id}  ${extensionOf(job)}  ${job.status}  ${showAgo(job.createdAt, now)}`)
  return new CliError(`'${given}' fits ${jobs.length} jobs. Say more of it.`, {
    exitCode: exitCodes.usage,
    code: 'job_ambiguous',
    next: lines.join('\n'),
    details: { jobs: jobs.slice(0, 10).map(({ id, room }) => ({ id, room })) },
  })
}

function isForbidden(error: unknown): boolean {
  return error instanceof CliError && error.facts.exitCode === exitCodes.forbidden
}
