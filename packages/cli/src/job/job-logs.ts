// millrace jobs logs: the lines on stdout, and with -f those to come until the job ends.

import type { LogLine } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import type { Terminal } from '../output/terminal.ts'
import { showInstant } from '../output/time.ts'
import { findJob } from './find-job.ts'
import { JobFollow } from './follow-job.ts'
import { interruption } from './follow-to-end.ts'

interface Flags extends GlobalFlags {
  readonly follow?: boolean
  readonly times?: boolean
}

export function jobLogsCommand(): Command {
  const command = withRoom(new Command('logs'))
    .description('what a job logged')
    .argument('<job>', 'its id, or four or more characters of its beginning or end')
    .option('-f, --follow', 'and what it will, until it ends')
    .option('-t, --times', 'with the time of each line')
    .action(async (given: string, flags: Flags) => {
      const session = sessionOf(flags)
      const { api, terminal } = session
      const params = await findJob(session, given)
      const show = lineShower(terminal, flags.times === true)
      if (flags.follow !== true) {
        const { lines, dropped } = await api.ask('GET /api/rooms/{room}/jobs/{id}/logs', { params })
        if (dropped > 0) terminal.warn(`The first ${dropped} lines are no longer kept.`)
        if (lines.length === 0) terminal.say('It has logged nothing.')
        return lines.forEach(show)
      }
      const nothing = (): void => undefined
      const follower = { state: nothing, waiting: nothing, progress: nothing, line: show }
      const trouble = (reason: string | null): void => terminal.warn(reason ?? 'The server answers again.')
      await new JobFollow(api, params.room, { ...follower, trouble }).run(params.id, interruption())
    })
  return withExamples(command, 'millrace jobs logs 3fa9c01b', 'millrace jobs logs -f 3fa9c01b > run.log')
}

function lineShower(terminal: Terminal, times: boolean): (line: LogLine) => void {
  return (line) =>
    terminal.record(line, ({ at, text }) =>
      times ? `${terminal.style('dim', showInstant(at))}  ${text}` : text,
    )
}
