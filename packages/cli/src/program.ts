// The tree of commands. Each file adds its own; nothing is decided here.

import { Command } from 'commander'
import { noun } from './command.ts'
import { listRoomsCommand } from './room/list-rooms.ts'

export function createProgram(version: string): Command {
  return new Command('millrace')
    .description('Typed jobs on whatever compute a group already has, live in a shared room.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'show this')
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError('(millrace --help lists what there is)')
    .exitOverride()
    .addCommand(noun('rooms', 'shared workspaces').addCommand(listRoomsCommand()))
}
