// From numbers to places on a drawing, and round numbers to write beside its axes.

export interface Scale {
  readonly least: number
  readonly most: number
  /** Where a value lies between two places. */
  place(value: number): number
}

export function scaleOf(least: number, most: number, from: number, to: number): Scale {
  const range = most - least || 1
  return { least, most, place: (value) => from + ((value - least) / range) * (to - from) }
}

/** 1, 2 or 5 times a power of ten, about so many of them within the range. */
export function ticksOf(least: number, most: number, about: number): readonly number[] {
  const range = most - least
  if (!(range > 0)) return [least]
  const rough = range / about
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((each) => each * magnitude).find((each) => each >= rough) ?? rough
  const first = Math.ceil(least / step - 1e-9)
  const last = Math.floor(most / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

export function tickText(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential().replace('e+', 'e')
  return value.toLocaleString('en', { maximumFractionDigits: 4 }).replaceAll(',', ' ')
}

/** Whole and grouped: what somebody entered is not rounded. */
export function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 12 }).replaceAll(',', ' ')
}

export function rangeOf(values: Iterable<number | null>): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value === null) continue
    if (value < least) least = value
    if (value > most) most = value
  }
  return least > most ? [0, 1] : [least, most]
}
