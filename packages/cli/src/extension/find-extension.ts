// Which extension of a room is meant by `name`, `category/name` or `scope/category/name`.

import type { ExtensionView } from '@millrace/protocol'
import type { Session } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'

export async function findExtension({ api, target }: Session, named: string): Promise<ExtensionView> {
  const room = roomOf(target)
  const { extensions } = await api.ask('GET /api/rooms/{room}/extensions', { params: { room } })
  const fitting = extensions.filter((extension) => isMeant(extension, named))
  // Of one name in several scopes the nearest counts, as it does for the server.
  const nearest = fitting.filter(({ shadowedBy }) => shadowedBy === null)
  const [found, another] = nearest.length > 0 ? nearest : fitting
  if (!found) throw await unknown(named, room, extensions)
  if (another) throw ambiguous(named, nearest)
  return found
}

export function nameOf({ category, name }: Pick<ExtensionView, 'category' | 'name'>): string {
  return `${category}/${name}`
}

function isMeant({ scope, category, name }: ExtensionView, named: string): boolean {
  return named === name || named === `${category}/${name}` || named === `${scope}/${category}/${name}`
}

async function unknown(named: string, room: string, extensions: readonly ExtensionView[]): Promise<CliError> {
  const { didYouMean } = await import('@millrace/server/nearest-name')
  const all = [...new Set(extensions.map(nameOf))]
  const known = [...all, ...extensions.map(({ name }) => name)]
  const list = all.length > 0 ? `There are: ${all.join(', ')}.` : 'Nobody serves any here: start a worker.'
  return new CliError(`Room ${room} has no extension '${named}'.${didYouMean(named, known)}`, {
    exitCode: exitCodes.refused,
    code: 'extension_not_found',
    next: list,
    details: { extensions: all },
  })
}

function ambiguous(named: string, extensions: readonly ExtensionView[]): CliError {
  const all = extensions.map(nameOf)
  return new CliError(`'${named}' may be any of ${all.join(', ')}.`, {
    exitCode: exitCodes.usage,
    code: 'extension_ambiguous',
    next: `Say which, for example ${all[0]}.`,
    details: { extensions: all },
  })
}
