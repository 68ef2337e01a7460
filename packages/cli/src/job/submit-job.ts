// millrace submit

import type { ExtensionView } from '@millrace/protocol'
import { Command, InvalidArgumentError } from 'commander'
import { type GlobalFlags, type Session, sessionOf, withExamples, withRoom } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { findExtension, nameOf } from '../extension/find-extension.ts'
import { CliError, usageError } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { isDistance, parseInstant } from '../output/time.ts'
import { beginFollowing } from './follow-to-end.ts'
import { readData } from './read-data.ts'
import { withValues } from './set-values.ts'
import { shortId } from './show-job.ts'

interface Flags extends GlobalFlags {
  readonly set?: readonly string[]
  readonly data?: string
  readonly priority?: number
  readonly key?: string
  readonly at?: string
  readonly follow?: boolean
}

type SubmitAnswer = { readonly id: string; readonly created: boolean } | { readonly values: unknown }

export function submitCommand(): Command {
  const command = withRoom(new Command('submit'))
    .description('run an extension; with --follow the exit code is the result of the job')
    .argument('<extension>', `name or category/name; \`${self} extensions ls\` lists them`)
    .option('--set <name=value>', 'one field of its form, any number of times; a.b=1 goes into a', gather)
    .option('--data <json>', 'all fields as JSON, @file, or - for stdin; --set goes on top')
    .option('--priority <number>', '0 (last) to 10; roles have caps', wholeNumber)
    .option('--key <text>', 'idempotency key: the same key and data are one job, however often sent')
    .option('--at <time>', 'not before: 10m, 2h, or a date like 2026-11-15T18:00; with --key a date')
    .option('-f, --follow', 'watch it to its end')
    .action(async (named: string, flags: Flags) => {
      requireSameTime(flags)
      const session = sessionOf(flags)
      const base = await readData(flags.data)
      const extension = await findExtension(session, named)
      const data = withValues(base, flags.set ?? [], extension.schema)
      await (flags.follow === true ? submitAndFollow : submit)(session, extension, data, flags)
    })
  return withExamples(
    command,
    'millrace submit Relax --set steps=100 --set cell.pbc=true --follow',
    'millrace submit modifiers/Relax --data @relax.json --priority 7',
    'echo \'{"steps": 5}\' | millrace submit Relax --data - --json',
    'millrace submit Relax --at 2026-11-15T18:00 --key nightly-2026-11-15',
  )
}

async function submit(
  session: Session,
  extension: ExtensionView,
  data: unknown,
  flags: Flags,
): Promise<void> {
  const { terminal, target } = session
  const answer = await send(session, extension, data, flags)
  if ('values' in answer) {
    terminal.result(answer, ({ values }) => JSON.stringify(values, null, 2))
    terminal.say(`The settings of ${nameOf(extension)} are stored.`)
    return
  }
  terminal.result({ room: roomOf(target), ...answer }, ({ id }) => id)
  const short = shortId(answer.id)
  terminal.say(
    answer.created ? `Submitted ${nameOf(extension)} in ${roomOf(target)}.` : 'It was submitted before.',
  )
  terminal.say(`  watch it   ${self} jobs follow ${short}\n  its state  ${self} jobs get ${short}`)
}

async function submitAndFollow(
  session: Session,
  extension: ExtensionView,
  data: unknown,
  flags: Flags,
): Promise<void> {
  const { terminal, target } = session
  const room = roomOf(target)
  const following = beginFollowing(session, room)
  try {
    const answer = await send(session, extension, data, flags)
    if ('values' in answer)
      return terminal.record({ event: 'stored', ...answer }, () => 'The settings are stored.')
    if (terminal.json) terminal.record({ event: 'submitted', room, ...answer }, () => '')
    terminal.say(`${nameOf(extension)} in ${room}: job ${answer.id}`)
    await following.toEnd(answer.id)
  } finally {
    following.close()
  }
}

async function send(
  { api, target }: Session,
  extension: ExtensionView,
  data: unknown,
  { priority, key, at }: Flags,
): Promise<SubmitAnswer> {
  const { scope, category, name } = extension
  try {
    return await api.ask('POST /api/rooms/{room}/extensions/{scope}/{category}/{name}/submit', {
      params: { room: roomOf(target), scope, category, name },
      body: {
        data,
        ...(priority !== undefined && { priority }),
        ...(key !== undefined && { idempotencyKey: key }),
        ...(at !== undefined && { notBefore: Math.round(parseInstant(at, '--at', 'ahead')) }),
      },
    })
  } catch (error) {
    throw withFieldNames(error, extension)
  }
}

/** What is sent again has to be the same, and a distance from now is another time by then. */
function requireSameTime({ key, at }: Flags): void {
  if (key === undefined || at === undefined || !isDistance(at)) return
  throw usageError(
    `With --key the time has to be the same whenever it is sent, and --at ${at} counts from now.`,
    'Give the date, like --at 2026-11-15T18:00.',
  )
}

/** The server points into the data; people know fields. */
function withFieldNames(error: unknown, extension: ExtensionView): unknown {
  if (!(error instanceof CliError) || error.facts.code !== 'data_invalid') return error
  const { errors = [] } = (error.facts.details ?? {}) as {
    readonly errors?: readonly { readonly pointer: string; readonly message: string }[]
  }
  const lines = errors.map(({ pointer, message }) => `  ${fieldName(pointer)} ${message}`)
  return new CliError(`The data does not fit ${nameOf(extension)}:\n${lines.join('\n')}`, {
    ...error.facts,
    next: `Its fields: ${self} extensions get ${nameOf(extension)}`,
  })
}

function fieldName(pointer: string): string {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.length === 0 ? 'the whole' : keys.join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]')
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function wholeNumber(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It has to be a whole number from 0 to 10.')
}
