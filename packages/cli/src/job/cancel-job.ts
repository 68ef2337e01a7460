// millrace jobs cancel

import { Command } from 'commander'
import { sessionOf, withExamples, withRoom } from '../command.ts'
import { actOnMany, isOne, type ManyFlags, withMany } from './act-on-many.ts'
import { findJob } from './find-job.ts'
import { shortId } from './show-job.ts'

const words = { act: 'cancel', verb: 'cancel', done: 'cancelled' } as const

export function cancelJobCommand(): Command {
  const command = withRoom(withMany(new Command('cancel')))
    .description(
      'cancel jobs in whatever state they are: those named, or those of a room that options describe',
    )
    .argument('[job...]', 'ids, or four or more characters of their beginning or end')
    .action(async (given: readonly string[], flags: ManyFlags) => {
      const session = sessionOf(flags)
      const [first = ''] = given
      if (!isOne(given, flags)) return actOnMany(session, words, given, flags)
      const params = await findJob(session, first)
      const job = await session.api.ask('POST /api/rooms/{room}/jobs/{id}/cancel', { params })
      session.terminal.result(job, ({ id, status, worker }) =>
        status === 'cancelled'
          ? `Job ${shortId(id)} is cancelled.`
          : `Job ${shortId(id)} is being cancelled; ${worker ?? 'its worker'} has been told to stop.`,
      )
    })
  return withExamples(
    command,
    'millrace jobs cancel 3fa9c01b',
    'millrace jobs cancel 3fa9c01b 77b01c2e',
    'millrace jobs cancel --status pending --extension modifiers/Relax --dry-run',
  )
}
