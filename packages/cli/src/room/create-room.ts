// millrace rooms create

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { self } from '../output/own-name.ts'
import { showRoom } from './show-room.ts'

export function createRoomCommand(): Command {
  const command = withTarget(new Command('create'))
    .description('make a room; you own it')
    .argument('<name>', "1 to 64 lower-case letters, digits, '-', '_' and '.'")
    .option('--private', 'only members see it')
    .action(async (name: string, flags: GlobalFlags & { readonly private?: boolean }) => {
      const { api, terminal } = sessionOf(flags)
      const access = flags.private === true ? 'private' : 'open'
      terminal.result(await api.ask('POST /api/rooms', { body: { name, access } }), showRoom)
      terminal.say(`To mean it when no room is named: ${self} rooms use ${name}`)
    })
  return withExamples(command, 'millrace rooms create lab', 'millrace rooms create --private secret-lab')
}
