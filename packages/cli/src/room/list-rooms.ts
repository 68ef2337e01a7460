// millrace rooms ls

import type { RoomView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withTarget } from '../command.ts'
import { self } from '../output/own-name.ts'
import { table } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

export function listRoomsCommand(): Command {
  const command = withTarget(new Command('ls'))
    .description('the rooms you may see')
    .action(async (flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const { terminal, target } = session
      const rooms = await allRooms(session)
      terminal.result({ rooms }, (shown) => showRooms(shown.rooms, target.room, terminal))
    })
  return withExamples(command, 'millrace rooms ls', "millrace rooms ls --json | jq -r '.rooms[].name'")
}

async function allRooms({ api }: Session): Promise<readonly RoomView[]> {
  const rooms: RoomView[] = []
  let after: string | undefined
  do {
    const page = await api.ask('GET /api/rooms', { query: { limit: 500, ...(after && { after }) } })
    rooms.push(...page.rooms)
    after = page.after
  } while (after !== undefined)
  return rooms
}

function showRooms(rooms: readonly RoomView[], current: string | null, { width }: Terminal): string {
  if (rooms.length === 0) return `No rooms yet. Make one: ${self} rooms create <name>`
  const rows = rooms.map(({ name, access, standing, members, limit, weight }) => [
    name === current ? `${name} *` : name,
    access,
    standing,
    String(members.length),
    limit === null ? 'none' : String(limit),
    String(weight),
  ])
  return table(['room', 'access', 'you are', 'members', 'limit', 'weight'], rows, width)
}
