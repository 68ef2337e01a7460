// millrace audit ls

import type { AuditView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { countOf } from '../output/count-of.ts'
import { table } from '../output/table.ts'
import { parseInstant, showInstant } from '../output/time.ts'

interface Flags extends GlobalFlags {
  readonly all?: boolean
  readonly actor?: string
  readonly action?: string
  readonly since?: string
  readonly until?: string
  readonly limit: number
  readonly cursor?: string
}

export function listAuditCommand(): Command {
  const command = withRoom(new Command('ls'))
    .description('what people did, newest first: about a room (owners), or with --all everywhere (admins)')
    .option('--all', 'about all rooms, accounts, workers and tokens')
    .option('--actor <user>', 'by one user')
    .option('--action <action>', 'of one kind: room.change, job, user, sign_in, …')
    .option('--since <time>', 'from then on: 2h, 1d, or a date')
    .option('--until <time>', 'before: 2h, 1d, or a date')
    .option('-n, --limit <count>', 'how many', (text) => countOf(text, 500), 50)
    .option('--cursor <cursor>', 'go on where an earlier page ended')
    .action(async (flags: Flags) => {
      const { api, terminal, target } = sessionOf(flags)
      const query = queryOf(flags)
      const page =
        flags.all === true
          ? await api.ask('GET /api/audit', { query })
          : await api.ask('GET /api/rooms/{room}/audit', { params: { room: roomOf(target) }, query })
      terminal.result(page, ({ entries }) => showEntries(entries, flags.all === true, terminal.width))
      if (page.cursor !== undefined) terminal.say(`More: the same with --cursor ${page.cursor}`)
    })
  return withExamples(
    command,
    'millrace audit ls --room lab',
    'millrace audit ls --all --action sign_in --since 1d',
  )
}

function queryOf({ actor, action, since, until, limit, cursor }: Flags) {
  return {
    limit,
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(since !== undefined && { since: Math.round(parseInstant(since, '--since', 'back')) }),
    ...(until !== undefined && { until: Math.round(parseInstant(until, '--until', 'back')) }),
    ...(cursor !== undefined && { cursor }),
  }
}

function showEntries(entries: readonly AuditView[], rooms: boolean, width: number): string {
  if (entries.length === 0) return 'Nothing is on record.'
  return table(
    ['when', 'who', 'did', ...(rooms ? ['room'] : []), 'to', 'details'],
    entries.map(({ at, actor, action, room, target, outcome, details }) => [
      showInstant(at),
      actor ?? '-',
      outcome === 'done' ? action : `${action} (${outcome})`,
      ...(rooms ? [room ?? '-'] : []),
      target || '-',
      Object.entries(details)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ]),
    width,
  )
}
