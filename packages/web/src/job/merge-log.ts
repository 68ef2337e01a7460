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

/** Lines are numbered without a gap, from the first that is kept: where a number is left out, a line was not told. */
export function isWhole(lines: readonly LogLine[], dropped: number): boolean {
  const [first, last] = [lines[0]?.number ?? dropped, lines.at(-1)?.number ?? dropped - 1]
  return last - first + 1 === lines.length && (first <= dropped || lines.length === mostLines)
}
