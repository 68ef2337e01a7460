// millrace jobs cancel

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { findJob } from './find-job.ts'
import { shortId } from './show-job.ts'

export function cancelJobCommand(): Command {
  const command = withRoom(new Command('cancel'))
    .description('cancel a job in whatever state it is')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .action(async (given: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const params = await findJob(session, given)
      const job = await session.api.ask('POST /api/rooms/{room}/jobs/{id}/cancel', { params })
      session.terminal.result(job, ({ id, status, worker }) =>
        status === 'cancelled'
          ? `Job ${shortId(id)} is cancelled.`
          : `Job ${shortId(id)} is being cancelled; ${worker ?? 'its worker'} has been told to stop.`,
      )
    })
  return withExamples(command, 'millrace jobs cancel 3fa9c01b')
}
