// Numbers with units, as people write them: 30s, 12h, 100KB, 1_000_000, 10/minute. A bare number has the unit of its
// source; the answer has the unit that the option's name ends with.

export type Unit = 'ms' | 's' | 'bytes' | 'MB' | 'per minute' | 'count'

const minute = 60
const hour = 60 * minute

/** Factors to the base of each measure: seconds, bytes, events per minute. */
const suffixes: Readonly<Record<string, { readonly measure: Measure; readonly factor: number }>> = {
  ms: { measure: 'time', factor: 0.001 },
  s: { measure: 'time', factor: 1 },
  sec: { measure: 'time', factor: 1 },
  m: { measure: 'time', factor: minute },
  min: { measure: 'time', factor: minute },
  h: { measure: 'time', factor: hour },
  d: { measure: 'time', factor: 24 * hour },
  b: { measure: 'size', factor: 1 },
  kb: { measure: 'size', factor: 1_000 },
  mb: { measure: 'size', factor: 1_000_000 },
  gb: { measure: 'size', factor: 1_000_000_000 },
  kib: { measure: 'size', factor: 1_024 },
  mib: { measure: 'size', factor: 1_024 ** 2 },
  gib: { measure: 'size', factor: 1_024 ** 3 },
  '/s': { measure: 'rate', factor: minute },
  '/second': { measure: 'rate', factor: minute },
  '/min': { measure: 'rate', factor: 1 },
  '/minute': { measure: 'rate', factor: 1 },
  '/h': { measure: 'rate', factor: 1 / minute },
  '/hour': { measure: 'rate', factor: 1 / minute },
}

type Measure = 'time' | 'size' | 'rate' | 'count'

const units: Readonly<Record<Unit, { readonly measure: Measure; readonly factor: number }>> = {
  ms: { measure: 'time', factor: 0.001 },
  s: { measure: 'time', factor: 1 },
  bytes: { measure: 'size', factor: 1 },
  // As limits of memory are counted everywhere: 1 MB of a process has 2^20 bytes.
  MB: { measure: 'size', factor: 1_024 ** 2 },
  'per minute': { measure: 'rate', factor: 1 },
  count: { measure: 'count', factor: 1 },
}

const written = /^(?<digits>\d[\d_]*(?:\.\d+)?)\s*(?<suffix>\/?\s*[a-z]+)?$/i

/** The whole number of `target` units that was meant, or undefined. */
export function parseQuantity(raw: unknown, target: Unit, sourceUnit: Unit = target): number | undefined {
  if (typeof raw === 'number') return converted(raw, units[sourceUnit].factor, target)
  if (typeof raw !== 'string') return undefined
  const match = written.exec(raw.trim())
  if (!match?.groups) return undefined
  const number = Number(match.groups.digits?.replaceAll('_', ''))
  const suffix = match.groups.suffix?.replaceAll(/\s/g, '').toLowerCase()
  if (suffix === undefined) return converted(number, units[sourceUnit].factor, target)
  const unit = suffixes[suffix]
  if (unit?.measure !== units[target].measure) return undefined
  return converted(number, unit.factor, target)
}

/** Rounded to what a double can say about a decimal fraction, so that 0.25 s is 250 ms and 0.1 ms is nothing allowed. */
function converted(number: number, factor: number, target: Unit): number | undefined {
  const exact = (number * factor) / units[target].factor
  const whole = Math.round(exact)
  return Number.isSafeInteger(whole) && Math.abs(exact - whole) < 1e-6 ? whole : undefined
}
