// millrace login: with a link or code, a password, or as a guest; what the server gives is kept as a profile.

import type { Session as SignedIn } from '@millrace/protocol'
import { Command } from 'commander'
import { type GlobalFlags, withExamples, withTarget } from '../command.ts'
import { Api } from '../connection/api.ts'
import { keepProfile, readProfiles } from '../connection/profile.ts'
import { findTarget, parseUrl, type Target } from '../connection/target.ts'
import { usageError } from '../output/cli-error.ts'
import { askLine, askPassword, hasKeyboard } from '../output/prompt.ts'
import { createTerminal } from '../output/terminal.ts'
import { showUntil } from '../output/time.ts'

interface Flags extends GlobalFlags {
  readonly user?: string
  readonly guest?: boolean
}

export function loginCommand(): Command {
  const command = withTarget(new Command('login'))
    .description('sign in to a server and keep that as a profile')
    .argument('[link-or-code]', 'the link or the code that a server printed; it works once')
    .option('--user <name>', 'with a password, which is asked for, or read from stdin')
    .option('--guest', 'without an account, where guests are admitted')
    .option('--room <room>', 'the room that is meant from then on when none is named')
    .action(async (given: string | undefined, flags: Flags) => {
      const terminal = createTerminal(flags.json === true)
      const { code, url } = codeAndUrl(given)
      const { profile: _named, ...others } = flags
      const target = findTarget({ ...others, ...(url !== undefined && { url }) }, withoutProfile(flags))
      const signedIn = await signIn(new Api({ ...target, ...nobody }), flags, code)
      const name = flags.profile ?? nameFor(target)
      const { token, user, role, expiresAt } = signedIn
      const room = target.room ?? (await obviousRoom(new Api({ ...target, token })))
      keepProfile(process.env, name, {
        url: target.url,
        token,
        user,
        expiresAt,
        ...(room !== null && { room }),
      })
      terminal.result({ profile: name, url: target.url, user, role, expiresAt, room }, (shown) =>
        [
          `Signed in to ${shown.url} as ${shown.user} (${shown.role}); it ends ${showUntil(expiresAt, Date.now())}.`,
          `Profile ${shown.profile} is used from now on${shown.room === null ? '' : `, room ${shown.room}`}.`,
        ].join('\n'),
      )
    })
  return withExamples(
    command,
    'millrace login http://127.0.0.1:7717/login?code=…',
    'millrace login --url https://millrace.example.org --user alice',
    'millrace login --guest --profile demo',
    'millrace login --user ci < password.txt',
  )
}

/** Whoever signs in sends no credential, and needs none of another server. */
const nobody = { token: null, tokenFrom: null, passedOver: null }

/** The room that is meant where there is no choice, or the one that `dev` makes. One has signed in also without. */
async function obviousRoom(api: Api): Promise<string | null> {
  try {
    const { rooms, after } = await api.ask('GET /api/rooms', { query: { limit: 500 } })
    const only = after === undefined && rooms.length === 1 ? rooms[0] : undefined
    return (only ?? rooms.find(({ name }) => name === 'lab'))?.name ?? null
  } catch {
    return null
  }
}

/** A profile that is to be made need not be there yet. */
function withoutProfile({ profile }: Flags): NodeJS.ProcessEnv {
  const known = profile !== undefined && Object.hasOwn(readProfiles(process.env).profiles, profile)
  return { ...process.env, MILLRACE_PROFILE: known ? profile : undefined }
}

/** In a link the code is a parameter, before the fragment or, where servers must not see it, inside. */
function codeAndUrl(given: string | undefined): { readonly code?: string; readonly url?: string } {
  if (given === undefined) return {}
  const link = URL.parse(given)
  if (link?.protocol !== 'http:' && link?.protocol !== 'https:') return { code: given }
  const inside = new URLSearchParams(link.hash.slice(link.hash.indexOf('?') + 1).replace(/^#/, ''))
  const code = link.searchParams.get('code') ?? inside.get('code')
  if (code === null) throw usageError('The link has no code.', 'It ends with code=…; is it whole?')
  return { code, url: parseUrl(link.origin + link.pathname.replace(/\/(?:login\/?)?$/, '')) }
}

async function signIn(api: Api, { user, guest }: Flags, code: string | undefined): Promise<SignedIn> {
  if ([code, user, guest].filter((way) => way !== undefined).length > 1) {
    throw usageError('Say one of a link or code, --user and --guest.')
  }
  if (guest === true) return api.ask('POST /api/auth/guest', {})
  if (code !== undefined) return api.ask('POST /api/auth/login', { body: { code } })
  const name = user ?? (await askUser())
  const password = await askPassword(`Password of ${name} at ${api.target.url}: `)
  return api.ask('POST /api/auth/login', { body: { user: name, password } })
}

async function askUser(): Promise<string> {
  if (hasKeyboard()) return askLine('User: ')
  throw usageError('Say who signs in.', 'A link or code that the server printed, --user <name>, or --guest.')
}

/** The profile of that server if there is one, else its host. */
function nameFor({ url }: Target): string {
  const { profiles } = readProfiles(process.env)
  const known = Object.entries(profiles).find(([, profile]) => parseUrl(profile.url) === url)
  return known?.[0] ?? new URL(url).host
}
