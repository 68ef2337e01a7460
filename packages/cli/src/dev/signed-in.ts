// Keeps whoever runs a development server signed in to it: the profile `dev` always holds a session that holds.

import type { ServerRun } from '@millrace/server'
import { keepProfile, type Profile, readProfiles, writeProfiles } from '../connection/profile.ts'

export const devProfile = 'dev'

export interface DevSession {
  readonly run: ServerRun
  readonly user: string
  readonly room: string
  readonly warn: (text: string) => void
}

/** From now on it is the profile that counts; later sessions replace the token and leave that as it is by then. */
export async function keepSignedIn(session: DevSession): Promise<void> {
  const profile = await freshProfile(session)
  keepProfile(process.env, devProfile, profile)
  renewLater(session, profile)
}

function renewLater(session: DevSession, { expiresAt = 0 }: Profile): void {
  const halfTime = Math.max(1_000, (expiresAt - Date.now()) / 2)
  const failed = (fault: unknown): void =>
    session.warn(`the profile ${devProfile} ends soon: ${String(fault)}`)
  setTimeout(() => void renew(session).catch(failed), halfTime).unref()
}

async function renew(session: DevSession): Promise<void> {
  const profile = await freshProfile(session)
  const { current, profiles } = readProfiles(process.env)
  writeProfiles(process.env, { current, profiles: { ...profiles, [devProfile]: profile } })
  renewLater(session, profile)
}

async function freshProfile({ run, user, room }: DevSession): Promise<Profile> {
  const { token, expiresAt } = await run.sessionToken(user)
  return { url: run.url, token, room, user, expiresAt }
}
