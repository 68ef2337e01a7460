// What time the server has. Instants in jobs are the store's, and a browser whose clock is minutes off would show waits
// that never were. Replies say the second; each one narrows how far apart the clocks can be.

/** The true difference (browser − server) lies between these. */
export interface Skew {
  readonly least: number
  readonly most: number
}

export const unknownSkew: Skew = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }

/** A header says a whole second, which may have begun up to a second ago. */
const second = 1_000

export function narrowed(skew: Skew, heardAt: number, saidAt: number): Skew {
  const seen = { least: heardAt - saidAt - second, most: heardAt - saidAt }
  const least = Math.max(skew.least, seen.least)
  const most = Math.min(skew.most, seen.most)
  // No longer one interval: a clock was set since, and only what was heard last counts.
  return least > most ? seen : { least, most }
}

/** Nothing to correct while equal clocks explain what was heard. */
export function correctionOf({ least, most }: Skew): number {
  if (least <= 0 && most >= 0) return 0
  return Number.isFinite(least + most) ? (least + most) / 2 : 0
}

let skew = unknownSkew

export function noteDate(header: string | null): void {
  const saidAt = header === null ? Number.NaN : Date.parse(header)
  if (Number.isFinite(saidAt)) skew = narrowed(skew, Date.now(), saidAt)
}

export function serverNow(): number {
  return Date.now() - correctionOf(skew)
}
