// millrace extensions ls

import type { ExtensionView } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { self } from '../output/own-name.ts'
import { table } from '../output/table.ts'
import type { Paint, Terminal } from '../output/terminal.ts'
import { shortHold } from './extension-hold.ts'
import { nameOf } from './find-extension.ts'

export function listExtensionsCommand(): Command {
  const command = withRoom(new Command('ls'))
    .description('what can be run in a room')
    .action(async (flags: GlobalFlags) => {
      const { api, target, terminal } = sessionOf(flags)
      const room = roomOf(target)
      const reply = await api.ask('GET /api/rooms/{room}/extensions', { params: { room } })
      terminal.result(reply, ({ extensions }) => showExtensions(extensions, room, terminal))
    })
  return withExamples(command, 'millrace extensions ls', 'millrace extensions ls --room lab --json')
}

function showExtensions(
  extensions: readonly ExtensionView[],
  room: string,
  { style, width }: Terminal,
): string {
  if (extensions.length === 0)
    return `Nobody serves anything in ${room} yet. Start a worker: ${self} worker <file>`
  const rows = extensions.map((extension) => [
    nameOf(extension),
    extension.shadowedBy === null ? extension.scope : `${extension.scope}, hidden by ${extension.shadowedBy}`,
    extension.workers === 0 ? style('yellow', 'none') : String(extension.workers),
    pendingOf(extension, style),
    aboutOf(extension),
  ])
  return table(['extension', 'scope', 'workers', 'pending', 'about'], rows, width)
}

/** Beside the jobs that wait, what they wait for where it is the extension's own. */
function pendingOf(extension: ExtensionView, style: Paint): string {
  const hold = shortHold(extension)
  return hold === null ? String(extension.pending) : `${extension.pending}, ${style('yellow', hold)}`
}

export function aboutOf({ schema }: ExtensionView): string {
  const { description, title } = schema
  return ([description, title].find((text) => typeof text === 'string') as string | undefined) ?? ''
}
