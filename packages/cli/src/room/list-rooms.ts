// millrace rooms ls

import { type RoomView, routes } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withTarget } from '../command.ts'
import { table } from '../output/table.ts'

export function listRoomsCommand(): Command {
  return withTarget(new Command('ls'))
    .description('the rooms you may see')
    .action(async (flags: GlobalFlags) => {
      const { api, terminal } = sessionOf(flags)
      const page = await api.ask(routes.listRooms, {})
      terminal.result(page, () => showRooms(page.rooms))
    })
}

function showRooms(rooms: readonly RoomView[]): string {
  if (rooms.length === 0) return 'No rooms yet. Make one: millrace rooms create <name>'
  return table(
    ['room', 'access', 'you are', 'members'],
    rooms.map(({ name, access, standing, members }) => [name, access, standing, String(members.length)]),
  )
}
