// millrace jobs follow

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { findJob } from './find-job.ts'
import { beginFollowing } from './follow-to-end.ts'

export function followJobCommand(): Command {
  const command = withRoom(new Command('follow'))
    .description('watch a job to its end; the exit code is its result')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .action(async (given: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const { room, id } = await findJob(session, given)
      await beginFollowing(session, room).toEnd(id)
    })
  return withExamples(command, 'millrace jobs follow 3fa9c01b', 'millrace jobs follow 3fa9c01b --json')
}
