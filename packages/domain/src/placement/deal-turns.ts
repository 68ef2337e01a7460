// Who gets how many of a number of turns: the next turn always goes to whoever stands lowest, running and dealt
// together, measured by weight. Rooms are dealt their shares this way, and the classes of one band inside a room.

export interface Taker {
  readonly standing: number
  readonly weight: number
  readonly most: number
  /** Order among those who stand equal; no two takers share a rank. */
  readonly rank: number
}

/** Halvings until neighbouring levels differ by less than one turn of any weight; what is left is dealt singly. */
const halvings = 48

export function dealTurns(takers: readonly Taker[], total: number): number[] {
  const everything = takers.reduce((sum, taker) => sum + taker.most, 0)
  if (everything <= total) return takers.map((taker) => taker.most)
  if (takers.length === 1) return [total]
  const level = commonLevel(takers, total)
  const dealt = takers.map((taker) => turnsBelow(taker, level))
  dealSingly(takers, dealt, total - dealt.reduce((sum, turns) => sum + turns, 0))
  return dealt
}

/** A level that everybody can be lifted to with no more than `total` turns. */
function commonLevel(takers: readonly Taker[], total: number): number {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (const { standing, weight, most } of takers) {
    low = Math.min(low, standing / weight)
    high = Math.max(high, Math.min(standing + most, standing + total + 1) / weight)
  }
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2
    let turns = 0
    for (const taker of takers) turns += turnsBelow(taker, middle)
    if (turns <= total) low = middle
    else high = middle
  }
  return low
}

function turnsBelow({ standing, weight, most }: Taker, level: number): number {
  return Math.min(most, Math.max(0, Math.ceil(level * weight - standing)))
}

function dealSingly(takers: readonly Taker[], dealt: number[], left: number): void {
  const levelOf = (index: number): number => (takers[index]!.standing + dealt[index]!) / takers[index]!.weight
  while (left > 0) {
    const open = [...takers.keys()].filter((index) => dealt[index]! < takers[index]!.most)
    if (open.length === 0) return
    const order = open
      .map((index) => ({ index, level: levelOf(index) }))
      .sort((a, b) => a.level - b.level || takers[a.index]!.rank - takers[b.index]!.rank)
    const lowest = order[0]!.level
    for (const { index, level } of order) {
      if (left === 0 || level > lowest) break
      dealt[index]! += 1
      left -= 1
    }
  }
}
