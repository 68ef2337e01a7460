// Preloaded into a server (`node --import`) whose clock is to be wrong: every way of asking for the time is shifted by
// the minutes in its environment. The product knows nothing of it.

/** The variable that says by how much, in ms. */
const skewVariable = 'CHAOS_SKEW_MS'

const skewMs = Number(process.env[skewVariable] ?? 0)
const RealDate = globalThis.Date

class SkewedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(RealDate.now() + skewMs)
    else super(...(given as ConstructorParameters<typeof RealDate>))
  }

  static override now(): number {
    return RealDate.now() + skewMs
  }
}

globalThis.Date = SkewedDate as DateConstructor
