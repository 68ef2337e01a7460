// Is there somebody to do the work, and does anything wait that should not?

import type { JobSummary } from '@millrace/protocol'
import type { Session } from '../command.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { showDuration } from '../output/time.ts'
import { type Check, type Found, lookAt, ok, skip, warn } from './check.ts'

/** Waiting for these does not end by itself. */
const stuck: readonly string[] = [
  'no_worker',
  'label_mismatch',
  'not_enough',
  'workers_unavailable',
  'breaker_open',
]
const lookedAt = 50

export function checkWork(session: Session): Promise<readonly Check[]> {
  return Promise.all([
    lookAt('workers', () => permitted(() => workersFound(session))),
    lookAt('placement', () => permitted(() => waitingFound(session))),
  ])
}

async function workersFound({ api }: Session): Promise<Found> {
  const { workers } = await api.ask('GET /api/workers', {})
  const pools = workers.filter(({ kind }) => kind === 'pool')
  const slots = workers.reduce((sum, { total }) => sum + total.slots, 0)
  const unwell = workers.filter(({ healthy }) => !healthy)
  const found = `${workers.length} (${pools.length} of them pools) with ${slots} slots`
  const [first] = unwell
  if (first)
    return warn(`${found}; ${first.id} is unwell: ${first.reason}`, `Look at them: ${self} workers ls`)
  if (pools.length > 0) return ok(found)
  return warn(`${found}; without a pool no built-in extension runs`, `Start one: ${self} pool`)
}

async function waitingFound({ api, target }: Session): Promise<Found> {
  const query = { status: 'pending', order: 'oldest', limit: lookedAt } as const
  const { room } = target
  const { jobs } =
    room === null
      ? await api.ask('GET /api/jobs', { query })
      : await api.ask('GET /api/rooms/{room}/jobs', { params: { room }, query })
  const [oldest] = jobs
  if (!oldest) return ok('nothing waits')
  return whyFound(api, oldest, jobs.length < lookedAt ? String(jobs.length) : `at least ${jobs.length}`)
}

async function whyFound(
  api: Session['api'],
  { room, id, createdAt }: JobSummary,
  count: string,
): Promise<Found> {
  const { reason, sentence } = await api.ask('GET /api/rooms/{room}/jobs/{id}/why', { params: { room, id } })
  const found = `${count} wait, the first for ${showDuration(Date.now() - createdAt)}: ${sentence}`
  return reason !== null && stuck.includes(reason) ? warn(found, `More: ${self} why ${id}`) : ok(found)
}

/** A token for one room sees neither workers nor other rooms; that is no fault. */
async function permitted(look: () => Promise<Found>): Promise<Found> {
  try {
    return await look()
  } catch (error) {
    const isForbidden = error instanceof CliError && error.facts.exitCode === exitCodes.forbidden
    if (isForbidden) return skip('this credential may not look')
    throw error
  }
}
