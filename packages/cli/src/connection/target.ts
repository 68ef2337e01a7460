// Which server a command speaks to, as whom, and in which room: flag before environment before profile.

import { CliError, exitCodes } from '../output/cli-error.ts'
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
  /** Where the address came from, for sentences about it. */
  readonly from: string
}

export const defaultUrl = 'http://127.0.0.1:7717'

export function findTarget(flags: TargetFlags, env: Environment): Target {
  const named = flags.profile ?? (env.MILLRACE_PROFILE || undefined)
  const { name, profile } = profileOf(named, env)
  const given = flags.url ?? (env.MILLRACE_URL || undefined)
  const url = trimmed(given ?? profile?.url ?? defaultUrl)
  // A token belongs to the server that gave it: one of another address is never sent there.
  const kept = profile && trimmed(profile.url) === url ? profile.token : null
  return {
    url,
    token: env.MILLRACE_TOKEN || kept,
    room: flags.room ?? (env.MILLRACE_ROOM || profile?.room || null),
    from: fromOf(flags, given, name),
  }
}

export function roomOf(target: Target): string {
  if (target.room !== null) return target.room
  throw new CliError('No room was named.', {
    exitCode: exitCodes.usage,
    code: 'room_missing',
    next: 'Say --room <name>, or set MILLRACE_ROOM. `millrace rooms ls` lists those you may see.',
  })
}

function profileOf(
  named: string | undefined,
  env: Environment,
): { readonly name: string | null; readonly profile: Profile | undefined } {
  const { current, profiles } = readProfiles(env)
  const name = named ?? current
  const profile = name === null ? undefined : profiles[name]
  if (named !== undefined && !profile) {
    const known = Object.keys(profiles)
    throw new CliError(`There is no profile '${named}'.`, {
      exitCode: exitCodes.usage,
      code: 'profile_unknown',
      next: known.length > 0 ? `There are: ${known.join(', ')}.` : 'Make one with `millrace login`.',
    })
  }
  return { name, profile }
}

function fromOf(flags: TargetFlags, given: string | undefined, name: string | null): string {
  if (flags.url !== undefined) return '--url'
  if (given !== undefined) return 'MILLRACE_URL'
  return name === null ? 'the default' : `profile ${name}`
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}
