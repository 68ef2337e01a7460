// Durations and instants in words that a person reads at a glance.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export function durationText(ms: number): string {
  const length = Math.max(0, ms)
  if (length < second) return `${Math.round(length)} ms`
  if (length < minute) return `${(Math.floor(length / 100) / 10).toFixed(1)} s`
  if (length < hour) return `${Math.floor(length / minute)} min ${padded(length % minute, second)} s`
  if (length < day) return `${Math.floor(length / hour)} h ${padded(length % hour, minute)} min`
  return `${Math.floor(length / day)} d ${Math.floor((length % day) / hour)} h`
}

/** Without what nobody needs to know of a guess. */
export function aboutText(ms: number): string {
  if (ms < 10 * second) return 'a few seconds'
  if (ms < 100 * second) return `about ${Math.round(ms / (10 * second)) * 10} s`
  if (ms < 90 * minute) return `about ${Math.round(ms / minute)} min`
  if (ms < 36 * hour) return `about ${Math.round(ms / hour)} h`
  return `about ${Math.round(ms / day)} days`
}

export function agoText(at: number, now: number): string {
  const ms = now - at
  if (ms < 5 * second) return 'just now'
  if (ms < minute) return `${Math.floor(ms / (5 * second)) * 5} s ago`
  if (ms < hour) return `${Math.floor(ms / minute)} min ago`
  if (ms < day) return `${Math.floor(ms / hour)} h ago`
  return `${Math.floor(ms / day)} d ago`
}

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
})

export function instantText(at: number): string {
  return absolute.format(at)
}

export function clockText(at: number): string {
  return clock.format(at)
}

const isoInstant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** A sentence of the server names instants for everybody; here they are those of the reader's clock. */
export function withLocalTimes(sentence: string): string {
  return sentence.replace(isoInstant, (iso) => instantText(Date.parse(iso)))
}

function padded(rest: number, unit: number): string {
  return String(Math.floor(rest / unit)).padStart(2, '0')
}
