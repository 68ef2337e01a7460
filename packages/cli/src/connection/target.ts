// Which server a command speaks to, as whom, and in which room: flag before environment before profile.

import { CliError, exitCodes, usageError } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { type Environment, type Profile, readProfiles } from './profile.ts'

/** What every command takes. */
export interface TargetFlags {
  readonly url?: string
  readonly profile?: string
  readonly room?: string
}

export interface Target {
  readonly url: string
  readonly token: string | null
  readonly room: string | null
  /** The profile that the token or the room came from, if any. */
  readonly profile: string | null
  /** Where the token came from, for sentences about it; null without one. */
  readonly tokenFrom: string | null
  /** The profile that would have counted, were it not for another address. */
  readonly passedOver: { readonly name: string; readonly url: string } | null
  /** Where the address came from, for sentences about it. */
  readonly from: string
  /** Where the address is that of a profile: the names of the others. */
  readonly otherProfiles: readonly string[]
}

const defaultUrl = 'http://127.0.0.1:7717'

export function findTarget(flags: TargetFlags, env: Environment): Target {
  const named = flags.profile ?? (env.MILLRACE_PROFILE || undefined)
  const { name, profile, others } = profileOf(named, env)
  const given = flags.url ?? (env.MILLRACE_URL || undefined)
  const url = parseUrl(given ?? profile?.url ?? defaultUrl)
  // A token and a room belong to the server that gave them: those of another address are never sent there.
  const kept = profile && parseUrl(profile.url) === url ? profile : null
  return {
    url,
    ...tokenOf(env, name, kept),
    room: flags.room ?? (env.MILLRACE_ROOM || kept?.room || null),
    profile: kept ? name : null,
    passedOver: profile && name !== null && !kept ? { name, url: parseUrl(profile.url) } : null,
    from: fromOf(flags, given, name),
    otherProfiles: given === undefined && name !== null ? others : [],
  }
}

function tokenOf(
  env: Environment,
  name: string | null,
  kept: Profile | null,
): Pick<Target, 'token' | 'tokenFrom'> {
  if (env.MILLRACE_TOKEN) return { token: env.MILLRACE_TOKEN, tokenFrom: 'MILLRACE_TOKEN' }
  return kept ? { token: kept.token, tokenFrom: `profile ${name}` } : { token: null, tokenFrom: null }
}

export function roomOf(target: Target): string {
  if (target.room !== null) return target.room
  throw new CliError('No room was named.', {
    exitCode: exitCodes.usage,
    code: 'room_missing',
    next: `Say --room <room>, or \`${self} rooms use <room>\` once. \`${self} rooms ls\` lists those you may see.`,
  })
}

/** `host:port` is enough. */
export function parseUrl(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  }
  throw usageError(`'${text}' is no address of a server.`, `An address looks like ${defaultUrl}.`)
}

function profileOf(
  named: string | undefined,
  env: Environment,
): {
  readonly name: string | null
  readonly profile: Profile | undefined
  readonly others: readonly string[]
} {
  const { current, profiles } = readProfiles(env)
  const name = named ?? current
  const profile = name !== null && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (named !== undefined && !profile) throw noSuchProfile(named, Object.keys(profiles))
  const others = Object.keys(profiles).filter((one) => one !== name)
  return { name: profile ? name : null, profile, others }
}

export function noSuchProfile(named: string, known: readonly string[]): CliError {
  return new CliError(`There is no profile '${named}'.`, {
    exitCode: exitCodes.usage,
    code: 'profile_unknown',
    next: known.length > 0 ? `There are: ${known.join(', ')}.` : `Make one with \`${self} login\`.`,
  })
}

function fromOf(flags: TargetFlags, given: string | undefined, name: string | null): string {
  if (flags.url !== undefined) return '--url'
  if (given !== undefined) return 'MILLRACE_URL'
  return name === null ? 'the default' : `profile ${name}`
}
