// The longest time in which no job ended anywhere although there was one that should.

import type { Evidence, Finding, JobStory } from './evidence.ts'

export function longestStallMs(jobs: Iterable<JobStory>): number {
  const moves = [...jobs].flatMap(({ createdAt, endedAt }) => [
    { at: createdAt, open: 1 },
    ...(endedAt === undefined ? [] : [{ at: endedAt, open: -1 }]),
  ])
  moves.sort((a, b) => a.at - b.at || a.open - b.open)
  let open = 0
  let since = 0
  let longest = 0
  for (const move of moves) {
    if (open > 0 && move.open < 0) longest = Math.max(longest, move.at - since)
    if (move.open < 0 || open === 0) since = move.at
    open += move.open
  }
  return longest
}

export function checkStalls({ jobs, stallBoundMs }: Evidence): readonly Finding[] {
  const stallMs = longestStallMs(jobs.values())
  return stallMs > stallBoundMs
    ? [{ rule: 'X10', what: `nothing ended for ${stallMs} ms; the bound is ${stallBoundMs} ms` }]
    : []
}
