// millrace tokens ls

import type { KeptToken } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import type { Api } from '../connection/api.ts'
import { self } from '../output/own-name.ts'
import { table } from '../output/table.ts'
import { showAgo, showUntil } from '../output/time.ts'

export function listTokensCommand(): Command {
  const command = withTarget(new Command('ls'))
    .description('the tokens you made that still hold (admins: all of them); never the tokens themselves')
    .option('--room <room>', 'those for a room that you manage, whoever made them')
    .action(async (flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      const tokens = await allTokens(api, flags.room)
      terminal.result({ tokens }, (shown) => showTokens(shown.tokens, terminal.width))
    })
  return withExamples(command, 'millrace tokens ls', 'millrace tokens ls --room lab')
}

async function allTokens(api: Api, room: string | undefined): Promise<readonly KeptToken[]> {
  const tokens: KeptToken[] = []
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? {} : { cursor }
    const page =
      room === undefined
        ? await api.ask('GET /api/tokens', { query })
        : await api.ask('GET /api/rooms/{room}/tokens', { params: { room }, query })
    tokens.push(...page.tokens)
    cursor = page.cursor
    if (cursor === undefined) return tokens
  }
}

function showTokens(tokens: readonly KeptToken[], width: number): string {
  if (tokens.length === 0) return `No tokens. Make one: ${self} tokens create`
  const now = Date.now()
  const rows = tokens.map(({ id, room, madeBy, createdAt, expiresAt }) => [
    id,
    room === null ? 'a pool' : `room ${room}`,
    madeBy,
    showAgo(createdAt, now),
    showUntil(expiresAt, now),
  ])
  return table(['token', 'for', 'made by', 'made', 'ends'], rows, width)
}
