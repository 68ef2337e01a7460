// The kinds of values an option may have. Each reads a text (flag, environment) as well as what JSON has for it (file).

import { isIP } from 'node:net'
import { isRefusal, type Limit, parseUserName, passwordRefusal } from '@millrace/domain'
import type { Kind } from './option.ts'
import { parseQuantity, type Unit } from './quantity.ts'
import { maskRedisUrl, parseRedisUrl } from './redis-address.ts'

const examples: Readonly<Record<Unit, string>> = {
  ms: ' ms (or with a unit: 500ms, 30s, 4m, 12h)',
  s: ' seconds (or with a unit: 30s, 4m, 12h)',
  bytes: ' bytes (or with a unit: 100KB, 1MB, 1MiB)',
  MB: ' MB of memory (or with a unit: 512MiB, 1GiB)',
  'per minute': ' a minute (or 10/minute, 1/s)',
  count: '',
}

export function quantity(unit: Unit, { min, max }: Pick<Limit, 'min' | 'max'>): Kind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}${examples[unit]}`,
    parse: (raw, sourceUnit) => {
      const value = parseQuantity(raw, unit, sourceUnit)
      return value !== undefined && value >= min && value <= max ? value : undefined
    },
    show: String,
  }
}

/** A part of the whole, from none of it to `max`. */
export function share(max: number): Kind<number> {
  return {
    allowed: `a number from 0 to ${max}, or a percentage from 0% to ${Math.round(max * 100)}%`,
    parse: (raw) => {
      const value = typeof raw === 'string' ? readShare(raw.trim()) : raw
      return typeof value === 'number' && value >= 0 && value <= max ? value : undefined
    },
    show: String,
  }
}

function readShare(text: string): number | undefined {
  const { digits, percent } = /^(?<digits>\d+(?:\.\d+)?)\s*(?<percent>%)?$/.exec(text)?.groups ?? {}
  if (digits === undefined) return undefined
  return percent === undefined ? Number(digits) : Number(digits) / 100
}

const words: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...[false, 'false', 'off', 'no', '0'].map((word) => [word, false] as const),
])

export const onOrOff: Kind<boolean> = {
  allowed: 'on or off (also: true, false, yes, no, 1, 0)',
  parse: (raw) => words.get(typeof raw === 'string' ? raw.toLowerCase() : raw),
  show: (value) => (value ? 'on' : 'off'),
  isSwitch: true,
}

export function oneOf<const Word extends string>(allowed: readonly Word[]): Kind<Word> {
  return {
    allowed: `one of ${allowed.join(', ')}`,
    parse: (raw) => allowed.find((word) => word === raw),
    show: (value) => value,
  }
}

export function text(allowed: string, fits: (value: string) => boolean): Kind<string> {
  return {
    allowed,
    parse: (raw) => (typeof raw === 'string' && fits(raw) ? raw : undefined),
    show: (value) => value,
  }
}

/** What may be left unset; JSON's null says so too. */
export function optional<Value>(kind: Kind<Value>): Kind<Value | null> {
  const { mask, show, ...rest } = kind
  return {
    ...rest,
    parse: (raw, unit) => (raw === null ? null : kind.parse(raw, unit)),
    show: (value) => (value === null ? 'not set' : show(value)),
    ...(mask && { mask: (value: Value | null) => (value === null ? 'not set' : mask(value)) }),
  }
}

export function secret(kind: Kind<string>): Kind<string> {
  return { ...kind, mask: () => '********' }
}

export const path: Kind<string> = text('a path', (value) => value !== '' && !value.includes('\0'))

export const host: Kind<string> = text(
  "a host name or an address, without a port ('0.0.0.0' and '::' mean all)",
  (value) => /^[a-z0-9.-]+$/i.test(value) || /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(value),
)

export const webUrl: Kind<string> = text(
  'an address like https://millrace.example.org, without user, query and fragment',
  (value) => {
    const url = URL.parse(value)
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    return isWeb && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  },
)

export const userName: Kind<string> = text(
  "a user's name: 1 to 64 lower-case letters, digits, '-', '_' and '.', and no reserved word",
  (value) => !isRefusal(parseUserName(value)),
)

export const password: Kind<string> = text('8 to 1024 characters', (value) => passwordRefusal(value) === null)

/** Addresses and networks, as `BlockList` takes them. */
export const networks: Kind<readonly string[]> = list(
  "addresses or networks like 10.0.0.0/8 or ::1, several separated by commas ('loopback' is 127.0.0.0/8 and ::1)",
  (text) => text === 'loopback' || isNetwork(text),
)

export const origins: Kind<readonly string[]> = list(
  'origins like https://lab.example.org, with a port where there is one and without a path, several separated by commas',
  (text) => URL.parse(text)?.origin === text && /^https?:/.test(text),
)

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function list(allowed: string, fits: (text: string) => boolean): Kind<readonly string[]> {
  return {
    allowed,
    parse: (raw) => {
      const all = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw
      return Array.isArray(all) && all.every((each) => typeof each === 'string' && fits(each))
        ? all
        : undefined
    },
    show: (values) => (values.length === 0 ? 'not set' : values.join(', ')),
    isList: true,
  }
}

export const redisUrls: Kind<readonly string[]> = {
  allowed:
    'redis://host:port or rediss://host:port (TLS), with user:password@ before the host where needed, no ' +
    'database but 0, several separated by commas',
  parse: (raw) => {
    const all = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw
    const isList = Array.isArray(all) && all.every((url) => typeof url === 'string' && parseRedisUrl(url))
    return isList ? all : undefined
  },
  show: (urls) => urls.join(', '),
  mask: (urls) => (urls.length === 0 ? 'not set' : urls.map(maskRedisUrl).join(', ')),
  isList: true,
}
