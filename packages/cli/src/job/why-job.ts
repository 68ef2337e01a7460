// millrace why

import type { JobError, JobView, WhyView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { self } from '../output/own-name.ts'
import { facts } from '../output/table.ts'
import type { Paint } from '../output/terminal.ts'
import { showDuration } from '../output/time.ts'
import { type FoundJob, findJob } from './find-job.ts'
import { errorInWords } from './job-words.ts'
import { extensionOf, shortId, showStatus } from './show-job.ts'
import { isOverloaded, overloadAdvice } from './wait-words.ts'

interface Shown extends FoundJob, WhyView {
  /** Of one that failed. */
  readonly error?: JobError
}

export function whyJobCommand(): Command {
  const command = withRoom(new Command('why'))
    .description('why a job waits, how many are ahead, and about how long')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .action(async (given: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const params = await findJob(session, given)
      const why = await session.api.ask('GET /api/rooms/{room}/jobs/{id}/why', { params })
      const job = await session.api.ask('GET /api/rooms/{room}/jobs/{id}', { params })
      const isOutdated = why.reason === 'no_worker' && (await isServedOtherwise(session, job))
      const next = isOutdated ? submitAgain(params) : nextStep(why, job, session.target.room)
      const error = why.status === 'failed' ? job.error : undefined
      session.terminal.result({ ...params, ...why, ...(error && { error }) }, (shown) =>
        showWhyJob(shown, next, session.terminal.style),
      )
    })
  return withExamples(command, 'millrace why 3fa9c01b')
}

function showWhyJob(
  { id, room, status, sentence, ahead, estimateMs, error }: Shown,
  next: string | null,
  style: Paint,
): string {
  return facts([
    ['job', `${id} in ${room}`],
    ['state', showStatus(status, style)],
    ['why', sentence],
    ...(error === undefined ? [] : [['error', style('red', errorInWords(error))] as const]),
    ...(ahead === null
      ? []
      : [['ahead', ahead === 0 ? 'nobody' : `${ahead} ${ahead === 1 ? 'job' : 'jobs'}`] as const]),
    ...(estimateMs === null ? [] : [['starts', `in about ${showDuration(estimateMs)}`] as const]),
    ...(next === null ? [] : [['next', next] as const]),
  ])
}

/** `meant`: the room of commands that name none. */
function nextStep(why: WhyView, job: JobView, meant: string | null): string | null {
  if (why.status === 'failed') return `look at it: ${self} jobs get ${shortId(job.id)}`
  if (isOverloaded(why)) return overloadAdvice
  switch (why.reason) {
    case 'no_worker':
      return `start a worker for it: ${self} worker <file>`
    case 'all_slots_busy':
      return `wait, or start another worker; \`${self} workers ls\` shows who is busy`
    case 'workers_unavailable':
      return `look at the workers: ${self} workers ls`
    case 'room_limit':
      return `whoever manages the room may raise it: ${self} rooms limit <room> <count>`
    case 'breaker_open':
      return whenMended(extensionOf(job), job.room === meant ? '' : ` --room ${job.room}`)
    default:
      return null
  }
}

function whenMended(extension: string, room: string): string {
  const look = `${self} jobs ls --status failed --extension ${extension}${room}`
  return `look at what failed: ${look}; when it is mended: ${self} extensions reset ${extension}${room}`
}

function submitAgain({ id }: FoundJob): string {
  return `the schema has changed since; cancel it and submit it again: ${self} jobs cancel ${shortId(id)}`
}

/** There are workers for the extension, but with another schema than the job was checked against. */
async function isServedOtherwise({ api }: Session, job: JobView): Promise<boolean> {
  const { extensions } = await api.ask('GET /api/rooms/{room}/extensions', { params: { room: job.room } })
  return extensions.some(
    ({ scope, category, name, hash, workers }) =>
      scope === job.scope &&
      category === job.category &&
      name === job.extension &&
      hash !== job.schemaHash &&
      workers > 0,
  )
}
