// millrace tokens create: the token alone is on stdout, so that it can be handed on.

import type { WorkerToken } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf, type Target } from '../connection/target.ts'
import { usageError } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { parseDuration, showUntil } from '../output/time.ts'

/** As the server has it; here to be said in words. */
const mostDays = { worker: 1, pool: 30 }
const leastSeconds = 60

interface Flags extends GlobalFlags {
  readonly expires?: string
  readonly pool?: boolean
}

export function createTokenCommand(): Command {
  const command = withRoom(new Command('create'))
    .description('a token for a worker of one room, or (admins) for a pool')
    .option('--expires <duration>', 'how long it holds, up to 1d; up to 30d for a pool (default: 1h)')
    .option('--pool', 'for a pool of built-in extensions, in place of a room')
    .action(async (flags: Flags) => {
      const { api, target, terminal } = sessionOf(flags)
      if (flags.pool === true && flags.room !== undefined) throw usageError('Say --room or --pool, not both.')
      const made = await api.ask('POST /api/tokens', { body: wanted(flags, target) })
      terminal.result(made, ({ token }) => token)
      terminal.say(aboutToken(made))
    })
  return withExamples(
    command,
    'millrace tokens create --room lab --expires 8h',
    'MILLRACE_TOKEN=$(millrace tokens create --room lab) millrace worker my-worker.ts',
    'millrace tokens create --pool --expires 30d',
  )
}

type Wanted =
  | { readonly room: string; readonly expiresInSeconds?: number }
  | { readonly pool: true; readonly expiresInSeconds?: number }

function wanted({ expires, pool }: Flags, target: Target): Wanted {
  const until = expires === undefined ? {} : { expiresInSeconds: secondsOf(expires, pool === true) }
  return pool === true ? { pool: true, ...until } : { room: roomOf(target), ...until }
}

function secondsOf(expires: string, isPool: boolean): number {
  const seconds = Math.round(parseDuration(expires, '--expires') / 1_000)
  const most = isPool ? mostDays.pool : mostDays.worker
  if (seconds >= leastSeconds && seconds <= most * 86_400) return seconds
  const whose = isPool ? 'a pool' : 'a worker'
  const limit = most === 1 ? '1 day (24h)' : `${most} days`
  throw usageError(`A token for ${whose} holds for 1 minute to ${limit}, so not for ${expires}.`)
}

function aboutToken({ id, room, expiresAt }: WorkerToken): string {
  const reach = room === null ? 'It lets a pool serve' : `It reaches room ${room}`
  return `${reach}, and ends ${showUntil(expiresAt, Date.now())}. Revoke it: ${self} tokens revoke ${id}`
}
