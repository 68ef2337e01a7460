// Whether a log that is followed to its end goes on being followed after it was scrolled.

/** So near to the end that whoever scrolls there wants to stay there. */
const nearPx = 24

export interface Scrolled {
  /** From the top, before and now. */
  readonly fromPx: number
  readonly toPx: number
  /** What is left below the box. */
  readonly belowPx: number
}

/** Following itself only ever goes down. So whoever goes up leaves the end, and whoever comes down to it wants it. */
export function followsAfter(follows: boolean, { fromPx, toPx, belowPx }: Scrolled): boolean {
  const atEnd = belowPx < nearPx
  if (toPx < fromPx) return follows && atEnd
  return follows || (atEnd && toPx > fromPx)
}
