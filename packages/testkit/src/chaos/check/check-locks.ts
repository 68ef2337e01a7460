// That no lock was held by two. A holder that was stopped may believe for a while that a lock is still its own: what must
// not be is a number that two were given, a lower one for whoever asked later, something written under a number that was
// old by then, or, by the server's own account, a lock that was given away while somebody had it.

import type { HeardLock, ReaderSession } from '../load/room-reader.ts'
import type { LedgerLine } from '../worker/ledger.ts'
import type { Evidence, Finding } from './evidence.ts'
import { runsOf } from './runs.ts'

interface Holding {
  readonly run: string
  readonly lock: string
  readonly fence: number
  /** Where in the ledger it stands that it was asked for and that it was given: an order that no clock disturbs. */
  readonly askedAtLine: number
  readonly heldAtLine: number
}

export function checkLocks({ executions, sessions }: Evidence): readonly Finding[] {
  const holdings = holdingsOf(executions)
  const runs = runsOf(executions)
  const spoilt = [...numbers(holdings), ...staleWrites(executions, holdings)]
  return [
    ...spoilt.map(({ rule, run, what }) => ({ rule, job: runs.get(run)?.job ?? '', what })),
    ...sessions.flatMap(givenAway),
  ]
}

export function holdingsOf(lines: readonly LedgerLine[]): readonly Holding[] {
  const asked = new Map<string, number>()
  return lines.flatMap((line, at): Holding[] => {
    if (line.step !== 'ask' && line.step !== 'held') return []
    const { run, room, target } = line
    const lock = `${room}/${target}`
    const askedAtLine = asked.get(`${run} ${lock}`) ?? at
    if (line.step === 'held') return [{ run, lock, fence: line.fence, askedAtLine, heldAtLine: at }]
    asked.set(`${run} ${lock}`, at)
    return []
  })
}

interface Spoilt {
  readonly rule: string
  readonly run: string
  readonly what: string
}

/** The answer may have come late, so what counts is when it was asked for: nothing given before can be in its way. */
function numbers(holdings: readonly Holding[]): readonly Spoilt[] {
  const wrong = (run: string, what: string): Spoilt => ({ rule: 'X50', run, what })
  return holdings.flatMap(({ run, lock, fence, askedAtLine }) => {
    const others = holdings.filter((other) => other.lock === lock && other.run !== run)
    const twin = others.find((other) => other.fence === fence)
    const higher = others.find((other) => other.fence > fence && other.heldAtLine < askedAtLine)
    return [
      ...(twin ? [wrong(run, `${lock} was given under ${fence} to ${run} and to ${twin.run}`)] : []),
      ...(higher
        ? [wrong(run, `${lock} was given under ${fence} after ${higher.run} had it under ${higher.fence}`)]
        : []),
    ]
  })
}

function staleWrites(lines: readonly LedgerLine[], holdings: readonly Holding[]): readonly Spoilt[] {
  const begun = new Map<string, number>()
  return lines.flatMap((line, at): Spoilt[] => {
    if (line.step !== 'write' && line.step !== 'written') return []
    const { run, room, target, fence } = line
    const lock = `${room}/${target}`
    const write = `${run} ${lock} ${fence}`
    if (line.step === 'write') {
      begun.set(write, at)
      return []
    }
    const begunAtLine = begun.get(write) ?? at
    const newer = holdings.find(
      (other) => other.lock === lock && other.fence > fence && other.heldAtLine < begunAtLine,
    )
    if (!newer) return []
    const what = `${run} wrote under ${fence} of ${lock} after ${newer.run} had it under ${newer.fence}`
    return [{ rule: 'X51', run, what }]
  })
}

/** A session has no gap, so the change before is the one that it heard before. */
function givenAway({ reader, room, locks }: ReaderSession): readonly Finding[] {
  const last = new Map<string, HeardLock>()
  return locks.flatMap((lock): Finding[] => {
    const before = last.get(lock.target)
    last.set(lock.target, lock)
    const wrong = before && unfit(before, lock)
    const where = `${reader} heard as ${lock.sequence} of ${room} that ${lock.target}`
    return wrong ? [{ rule: 'X52', what: `${where} ${wrong}` }] : []
  })
}

function unfit(before: HeardLock, after: HeardLock): string | null {
  if (after.fence < before.fence) return `went from ${before.fence} back to ${after.fence}`
  if (after.holder === null) return null
  const { acquiredAt } = after.holder
  if (after.fence === before.fence) {
    if (before.holder === null) return `was given again under ${after.fence}`
    return before.holder.acquiredAt === acquiredAt ? null : `was given twice under ${after.fence}`
  }
  const leftMs = (before.holder?.expiresAt ?? acquiredAt) - acquiredAt
  return leftMs > 0 ? `was given away ${leftMs} ms before its holder's time was over` : null
}
