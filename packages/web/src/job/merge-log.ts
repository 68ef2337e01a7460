// Lines of a log that arrive twice, or while the whole is being fetched, are kept once and in their order.

import type { LogLine } from '@millrace/protocol'

/** The server keeps as many; a page that stays open for a day must not keep more. */
const mostLines = 5_000

export function mergeLog(before: readonly LogLine[], added: readonly LogLine[]): readonly LogLine[] {
  const last = before.at(-1)?.number ?? -1
  const following = added.filter((line) => line.number > last)
  // The usual case: they follow on.
  if (following.length === added.length) return [...before, ...added].slice(-mostLines)
  const byNumber = new Map([...before, ...added].map((line) => [line.number, line]))
  return [...byNumber.values()].toSorted((a, b) => a.number - b.number).slice(-mostLines)
}
