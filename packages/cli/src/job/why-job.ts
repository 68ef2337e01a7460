// millrace why

import type { WhyView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { self } from '../output/own-name.ts'
import { facts } from '../output/table.ts'
import type { Paint } from '../output/terminal.ts'
import { showDuration } from '../output/time.ts'
import { type FoundJob, findJob } from './find-job.ts'
import { shortId, showStatus } from './show-job.ts'

export function whyJobCommand(): Command {
  const command = withRoom(new Command('why'))
    .description('why a job waits, how many are ahead, and about how long')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .action(async (given: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const params = await findJob(session, given)
      const why = await session.api.ask('GET /api/rooms/{room}/jobs/{id}/why', { params })
      const isOutdated = why.reason === 'no_worker' && (await isServedOtherwise(session, params))
      const next = isOutdated ? submitAgain(params) : nextStep(why.reason)
      session.terminal.result({ ...params, ...why }, (shown) =>
        showWhyJob(shown, next, session.terminal.style),
      )
    })
  return withExamples(command, 'millrace why 3fa9c01b')
}

function showWhyJob(
  { id, room, status, sentence, ahead, estimateMs }: FoundJob & WhyView,
  next: string | null,
  style: Paint,
): string {
  return facts([
    ['job', `${id} in ${room}`],
    ['state', showStatus(status, style)],
    ['why', sentence],
    ...(ahead === null
      ? []
      : [['ahead', ahead === 0 ? 'nobody' : `${ahead} ${ahead === 1 ? 'job' : 'jobs'}`] as const]),
    ...(estimateMs === null ? [] : [['starts', `in about ${showDuration(estimateMs)}`] as const]),
    ...(next === null ? [] : [['next', next] as const]),
  ])
}

function nextStep(reason: string | null): string | null {
  switch (reason) {
    case 'no_worker':
      return `start a worker for it: ${self} worker <file>`
    case 'all_slots_busy':
      return `wait, or start another worker; \`${self} workers ls\` shows who is busy`
    case 'workers_unavailable':
      return `look at the workers: ${self} workers ls`
    case 'room_limit':
      return `whoever manages the room may raise it: ${self} rooms limit <room> <count>`
    case 'breaker_open':
      return `look at what failed: ${self} jobs ls --status failed; when it is mended: ${self} extensions reset <extension>`
    default:
      return null
  }
}

function submitAgain({ id }: FoundJob): string {
  return `the schema has changed since; cancel it and submit it again: ${self} jobs cancel ${shortId(id)}`
}

/** There are workers for the extension, but with another schema than the job was checked against. */
async function isServedOtherwise({ api }: Session, params: FoundJob): Promise<boolean> {
  const [job, { extensions }] = await Promise.all([
    api.ask('GET /api/rooms/{room}/jobs/{id}', { params }),
    api.ask('GET /api/rooms/{room}/extensions', { params: { room: params.room } }),
  ])
  return extensions.some(
    ({ scope, category, name, hash, workers }) =>
      scope === job.scope &&
      category === job.category &&
      name === job.extension &&
      hash !== job.schemaHash &&
      workers > 0,
  )
}
