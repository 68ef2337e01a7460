// millrace extensions get: the form in words, who serves it, and how it does.

import type { ExtensionDetail, ExtensionStats } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { self } from '../output/own-name.ts'
import { facts, table } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'
import { showDuration } from '../output/time.ts'
import { holdFacts } from './extension-hold.ts'
import { findExtension, nameOf } from './find-extension.ts'
import { aboutOf } from './list-extensions.ts'
import { type Field, fieldsOf } from './schema-fields.ts'

interface Shown extends ExtensionDetail {
  readonly stats: ExtensionStats
}

export function getExtensionCommand(): Command {
  const command = withRoom(new Command('get'))
    .description('one extension: its fields, who serves it, how it does')
    .argument('<extension>', 'name or category/name')
    .action(async (named: string, flags: GlobalFlags) => {
      const session = sessionOf(flags)
      const { api, target, terminal } = session
      const { scope, category, name } = await findExtension(session, named)
      const params = { room: roomOf(target), scope, category, name }
      const address = '/api/rooms/{room}/extensions/{scope}/{category}/{name}'
      const [detail, stats] = await Promise.all([
        api.ask(`GET ${address}`, { params }),
        api.ask(`GET ${address}/stats`, { params }),
      ])
      terminal.result({ ...detail, stats }, (shown) => showExtension(shown, terminal))
    })
  return withExamples(
    command,
    'millrace extensions get Relax',
    'millrace extensions get modifiers/Relax --json',
  )
}

function showExtension(extension: Shown, { style, width }: Terminal): string {
  const { scope, owner, stats, hash, policy } = extension
  const about = aboutOf(extension)
  const head = facts([
    ['extension', `${style('bold', nameOf(extension))} (${scope}, of ${owner})`],
    ...(about === '' ? [] : [['about', about] as const]),
    [
      'workers',
      stats.workers === 0 ? style('yellow', 'none') : `${stats.workers}, ${stats.freeSlots} slots free`,
    ],
    [
      'jobs',
      `${stats.pending} pending, ${stats.running} running, ${stats.completed} completed, ${stats.failed} failed`,
    ],
    ...holdFacts(extension, Date.now()).map(([what, how]) => [what, style('yellow', how)] as const),
    ['waits', quantiles(stats.waitMsP50, stats.waitMsP95)],
    ['runs', quantiles(stats.runMsP50, stats.runMsP95)],
    [
      'policy',
      Object.entries(policy)
        .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
        .join(', '),
    ],
    ['schema', hash],
  ])
  return `${head}\n\n${showFields(fieldsOf(extension.schema), width)}\n\n${tryIt(extension)}`
}

function quantiles(middle: number | null, high: number | null): string {
  if (middle === null || high === null) return 'nothing has run yet'
  return `usually ${showDuration(middle)}, 95 % within ${showDuration(high)}`
}

function showFields(fields: readonly Field[], width: number): string {
  if (fields.length === 0) return 'It takes no fields.'
  const rows = fields.map((field) => [
    field.name,
    field.type,
    field.required ? 'required' : field.default === undefined ? '' : JSON.stringify(field.default),
    field.allowed,
    field.about,
  ])
  return table(['field', 'type', 'default', 'allowed', 'about'], rows, width)
}

function tryIt(extension: Shown): string {
  const needed = fieldsOf(extension.schema).filter(({ required }) => required)
  const sets = needed.map(({ name }) => ` --set ${name}=…`).join('')
  return `Run it: ${self} submit ${nameOf(extension)}${sets} --follow`
}
