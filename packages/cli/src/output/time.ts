// Durations and instants, as people write and read them.

import { usageError } from './cli-error.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, min: minute, h: hour, d: day }

/** `480 ms`, `2.5 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export function showDuration(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * second) return `${(ms / second).toFixed(1).replace('.0', '')} s`
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return twoUnits(ms, [minute, 'min'], [second, 's'])
  if (ms < day) return twoUnits(ms, [hour, 'h'], [minute, 'min'])
  return twoUnits(ms, [day, 'd'], [hour, 'h'])
}

/** One unit is enough for what lies back. */
export function showAgo(at: number, now: number): string {
  const ms = Math.max(0, now - at)
  if (ms < second) return 'now'
  if (ms < minute) return `${Math.floor(ms / second)} s ago`
  if (ms < hour) return `${Math.floor(ms / minute)} min ago`
  return ms < 2 * day ? `${Math.floor(ms / hour)} h ago` : `${Math.floor(ms / day)} d ago`
}

export function showUntil(at: number, now: number): string {
  return at <= now ? `over since ${showDuration(now - at)}` : `in ${showDuration(at - now)}`
}

/** In the zone of whoever looks, to the second. */
export function showInstant(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * minute)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

export function parseDuration(text: string, option: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)$/.exec(text.trim()) ?? []
  if (amount === undefined) {
    throw usageError(`'${text}' is no duration for ${option}.`, 'Durations look like 30s, 10m, 2h or 1d.')
  }
  return Number(amount) * (units[unit] ?? 1)
}

/** From now on or back, and not a date. */
export function isDistance(text: string): boolean {
  return /^\d+(?:\.\d+)?\s*[a-z]+$/.test(text.trim())
}

/** An instant as a date (`2026-11-15T18:00`), or as a distance: ahead of now or behind it, as the option means it. */
export function parseInstant(text: string, option: string, way: 'ahead' | 'back'): number {
  if (isDistance(text)) {
    const ms = parseDuration(text, option)
    return Date.now() + (way === 'ahead' ? ms : -ms)
  }
  const at = Date.parse(text)
  if (Number.isNaN(at)) {
    throw usageError(`'${text}' is no time for ${option}.`, 'Say 10m, 2h, or a date like 2026-11-15T18:00.')
  }
  return at
}

function twoUnits(
  ms: number,
  [large, largeName]: readonly [number, string],
  [small, name]: readonly [number, string],
): string {
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${name}`}`
}
