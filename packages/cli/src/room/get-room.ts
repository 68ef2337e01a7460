// millrace rooms get

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { showRoom } from './show-room.ts'

export function getRoomCommand(): Command {
  const command = withTarget(new Command('get'))
    .description('one room: who belongs to it, its limit and its weight')
    .argument('[room]', "the room (default: MILLRACE_ROOM, else the profile's)")
    .action(async (name: string | undefined, flags: GlobalFlags) => {
      const { api, target, terminal } = sessionOf({ ...flags, ...(name !== undefined && { room: name }) })
      terminal.result(await api.ask('GET /api/rooms/{room}', { params: { room: roomOf(target) } }), showRoom)
    })
  return withExamples(command, 'millrace rooms get lab')
}
