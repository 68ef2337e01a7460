// Cancels many jobs, or tries them again: those that were named, or those that a filter finds, in as many requests as it
// takes. Above a number that nobody means by accident it is asked first, or said with --yes.

import type { ManyDone } from '@millrace/protocol'
import { type Command, Option } from 'commander'
import type { GlobalFlags, Session } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { CliError, exitCodes, usageError } from '../output/cli-error.ts'
import { askLine, hasKeyboard } from '../output/prompt.ts'
import { findJob } from './find-job.ts'
import { type FilterFlags, filterOf, type JobFilter, withJobFilter } from './job-filter.ts'
import { shortId } from './show-job.ts'
import { warnOfUnknown } from './unknown-extension.ts'

export interface ManyFlags extends GlobalFlags, FilterFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** `done`: "12 of 14 jobs" are … */
export interface ManyWords {
  readonly act: 'cancel' | 'retry'
  readonly verb: string
  readonly done: string
}

type Choice = { readonly ids: readonly string[] } | { readonly filter: JobFilter }

interface Order {
  readonly room: string
  readonly choice: Choice
}

interface Outcome {
  readonly matched: number
  readonly done: number
  readonly refused: ManyDone['refused']
}

const idsAtOnce = 1_000
const askAbove = 100

export function withMany(command: Command): Command {
  return withJobFilter(command)
    .addOption(new Option('--dry-run', 'only say how many it would be'))
    .addOption(new Option('-y, --yes', `do not ask, however many it is (asked above ${askAbove})`))
}

/** Whether one job is meant, which has an answer of its own. */
export function isOne(given: readonly string[], flags: ManyFlags): boolean {
  return given.length === 1 && !isFiltered(flags) && flags.dryRun !== true
}

export async function actOnMany(
  session: Session,
  words: ManyWords,
  given: readonly string[],
  flags: ManyFlags,
): Promise<void> {
  const { terminal } = session
  const orders = await ordersOf(session, words, given, flags)
  if (flags.dryRun === true) {
    const counted = await carryOut(session, words, orders, true)
    if (counted.matched === 0) await warnOfUnknown(session, filterOf(flags))
    terminal.result({ ...counted, dryRun: true }, (shown) => showCounted(shown, words))
    return
  }
  if (flags.yes !== true) await askFirst(session, words, orders)
  const outcome = await carryOut(session, words, orders, false)
  if (outcome.matched === 0) await warnOfUnknown(session, filterOf(flags))
  terminal.result(outcome, (shown) => showOutcome(shown, words))
  if (outcome.refused.length > 0) process.exitCode = exitCodes.refused
}

async function ordersOf(
  session: Session,
  { verb }: ManyWords,
  given: readonly string[],
  flags: ManyFlags,
): Promise<readonly Order[]> {
  if (given.length > 0 && isFiltered(flags))
    throw usageError('Name jobs, or say by a filter which are meant; not both.')
  if (given.length === 0 && !isFiltered(flags))
    throw usageError(
      `Which jobs are to be ${verb === 'cancel' ? 'cancelled' : 'retried'}?`,
      'Name one or several, or say which: --status, --extension, --submitter, --since, … See --help.',
    )
  if (given.length === 0) return [{ room: roomOf(session.target), choice: { filter: filterOf(flags) } }]
  const rooms = new Map<string, string[]>()
  for (const one of given) {
    const { room, id } = await findJob(session, one)
    rooms.set(room, [...(rooms.get(room) ?? []), id])
  }
  return [...rooms].flatMap(([room, ids]) =>
    chunksOf(ids).map((some): Order => ({ room, choice: { ids: some } })),
  )
}

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / idsAtOnce)
  return Array.from({ length: count }, (_, at) => ids.slice(at * idsAtOnce, (at + 1) * idsAtOnce))
}

function isFiltered(flags: ManyFlags): boolean {
  return Object.keys(filterOf(flags)).length > 0
}

async function askFirst(session: Session, words: ManyWords, orders: readonly Order[]): Promise<void> {
  const { matched } = await carryOut(session, words, orders, true)
  if (matched <= askAbove) return
  if (!hasKeyboard())
    throw new CliError(`${matched} jobs are meant, which takes --yes where nobody can be asked.`, {
      exitCode: exitCodes.usage,
      code: 'confirmation_needed',
      next: 'Look first: the same with --dry-run. Nothing was changed.',
      details: { matched },
    })
  const answer = await askLine(`${capital(words.verb)} ${matched} jobs? [y/N] `)
  if (!/^y(?:es)?$/i.test(answer))
    throw new CliError('Nothing was changed.', { exitCode: exitCodes.interrupted, code: 'interrupted' })
}

async function carryOut(
  { api, terminal }: Session,
  { act, done: word }: ManyWords,
  orders: readonly Order[],
  dryRun: boolean,
): Promise<Outcome> {
  let [matched, done] = [0, 0]
  const refused: ManyDone['refused'] = []
  for (const { room, choice } of orders) {
    for (let cursor: string | undefined; ; ) {
      const body = bodyOf(choice, dryRun, cursor)
      const answer =
        act === 'cancel'
          ? await api.ask('POST /api/rooms/{room}/jobs/cancel', { params: { room }, body })
          : await api.ask('POST /api/rooms/{room}/jobs/retry', { params: { room }, body })
      matched += answer.matched
      done += answer.done
      refused.push(...answer.refused)
      cursor = answer.next
      if (cursor === undefined) break
      terminal.draw(dryRun ? `${matched} jobs so far` : `${done} jobs ${word} so far`)
    }
  }
  terminal.clear()
  return { matched, done, refused }
}

function bodyOf(choice: Choice, dryRun: boolean, cursor: string | undefined) {
  if ('ids' in choice) return { ids: [...choice.ids], dryRun }
  return { filter: choice.filter, dryRun, ...(cursor !== undefined && { cursor }) }
}

function showCounted({ matched, refused }: Outcome, { done }: ManyWords): string {
  const lines = [`${jobs(matched - known(refused))} would be ${done}.`]
  return [...lines, ...refusalLines(refused)].join('\n')
}

function showOutcome({ matched, done, refused }: Outcome, words: ManyWords): string {
  if (matched === 0 && refused.length === 0) return 'No such jobs.'
  const of = done === matched ? jobs(done) : `${done} of ${jobs(matched)}`
  return [`${of} ${done === 1 ? 'is' : 'are'} ${words.done}.`, ...refusalLines(refused)].join('\n')
}

/** Those that are there: what was named and is not was not matched either. */
function known(refused: Outcome['refused']): number {
  return refused.filter(({ code }) => code !== 'job_not_found').length
}

/** A line for each code, with some of the jobs. */
function refusalLines(refused: Outcome['refused']): readonly string[] {
  const byCode = new Map<string, string[]>()
  for (const { id, code } of refused) byCode.set(code, [...(byCode.get(code) ?? []), shortId(id)])
  return [...byCode].map(([code, ids]) => {
    const more = ids.length > 5 ? `, and ${ids.length - 5} more` : ''
    return `  refused as ${code}: ${ids.slice(0, 5).join(', ')}${more}`
  })
}

function jobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
