// millrace jobs retry: a new job that names the old one.

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { self } from '../output/own-name.ts'
import { findJob } from './find-job.ts'
import { beginFollowing } from './follow-to-end.ts'
import { shortId } from './show-job.ts'

interface Flags extends GlobalFlags {
  readonly follow?: boolean
}

export function retryJobCommand(): Command {
  const command = withRoom(new Command('retry'))
    .description('submit an ended job again, as a new one')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .option('-f, --follow', 'watch the new one to its end; the exit code is its result')
    .action(async (given: string, flags: Flags) => {
      const session = sessionOf(flags)
      const { api, terminal } = session
      const params = await findJob(session, given)
      const { id, created } = await api.ask('POST /api/rooms/{room}/jobs/{id}/retry', { params })
      const told = { room: params.room, id, created, retryOf: params.id }
      const again = created ? 'is tried again' : 'was tried again before'
      if (flags.follow !== true) {
        terminal.result(told, (shown) => shown.id)
        terminal.say(`Job ${shortId(params.id)} ${again}. Watch it: ${self} jobs follow ${shortId(id)}`)
        return
      }
      if (terminal.json) terminal.record({ event: 'submitted', ...told }, () => '')
      terminal.say(`Job ${shortId(params.id)} ${again}, as ${id}`)
      await beginFollowing(session, params.room).toEnd(id)
    })
  return withExamples(command, 'millrace jobs retry 3fa9c01b --follow')
}
