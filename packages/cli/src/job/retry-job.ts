// millrace jobs retry: a new job that names the old one.

import { Command } from 'commander'
import { type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { usageError } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { actOnMany, isOne, type ManyFlags, withMany } from './act-on-many.ts'
import { findJob } from './find-job.ts'
import { beginFollowing } from './follow-to-end.ts'
import { shortId } from './show-job.ts'

interface Flags extends ManyFlags {
  readonly follow?: boolean
}

const words = { act: 'retry', verb: 'retry', done: 'retried' } as const

export function retryJobCommand(): Command {
  const command = withRoom(withMany(new Command('retry')))
    .description(
      'submit ended jobs again, each as a new one: those named, or those of a room that options describe',
    )
    .argument('[job...]', 'ids, or four or more characters of their beginning or end')
    .option('-f, --follow', 'watch the new one to its end; the exit code is its result')
    .action(async (given: readonly string[], flags: Flags) => {
      const session = sessionOf(flags)
      const [first = ''] = given
      if (isOne(given, flags)) return retryOne(session, first, flags.follow === true)
      if (flags.follow === true) throw usageError('Only one job can be followed.')
      return actOnMany(session, words, given, flags)
    })
  return withExamples(
    command,
    'millrace jobs retry 3fa9c01b --follow',
    'millrace jobs retry --dead-letters --extension modifiers/Relax --since 1d',
  )
}

async function retryOne(session: Session, given: string, follow: boolean): Promise<void> {
  const { api, terminal } = session
  const params = await findJob(session, given)
  const { id, created } = await api.ask('POST /api/rooms/{room}/jobs/{id}/retry', { params })
  const told = { room: params.room, id, created, retryOf: params.id }
  const again = created ? 'is retried' : 'was retried before'
  if (!follow) {
    terminal.result(told, (shown) => shown.id)
    terminal.say(`Job ${shortId(params.id)} ${again}. Watch it: ${self} jobs follow ${shortId(id)}`)
    return
  }
  if (terminal.json) terminal.record({ event: 'submitted', ...told }, () => '')
  terminal.say(`Job ${shortId(params.id)} ${again}, as ${id}`)
  await beginFollowing(session, params.room).toEnd(id)
}
