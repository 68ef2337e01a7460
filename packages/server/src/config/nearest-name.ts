// The known name that somebody who mistyped most likely meant.

/** Two slips are forgiven in any word, in a long one every third letter; further away is another word. */
export function nearestName(typed: string, known: readonly string[]): string | null {
  const reach = Math.max(2, Math.floor(typed.length / 3))
  let best: { readonly name: string; readonly away: number } | null = null
  for (const name of known) {
    const away = editDistance(typed.toLowerCase(), name.toLowerCase())
    if (away <= reach && (best === null || away < best.away)) best = { name, away }
  }
  return best?.name ?? null
}

/** Levenshtein's: insertions, removals and replacements of one character. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 1; at <= from.length; at++) {
    const next = [at]
    for (let other = 1; other <= to.length; other++) {
      const replaced = (row[other - 1] ?? 0) + (from[at - 1] === to[other - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The end of a sentence that says what is not known; nothing when nothing is near. */
export function didYouMean(typed: string, known: readonly string[], before = ''): string {
  const name = nearestName(typed, known)
  return name === null ? '' : ` Did you mean ${before}${name}?`
}
