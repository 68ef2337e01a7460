// Keeps whoever runs a development server signed in to it: the profile `dev` always holds a session that holds.

import type { ServerRun } from '@millrace/server'
import { keepProfile, type Profile, readProfiles, writeProfiles } from '../connection/profile.ts'

export const devProfile = 'dev'

/** From now on it is the profile that counts; later sessions replace the token and leave that as it is by then. */
export async function keepSignedIn(run: ServerRun, user: string, room: string): Promise<void> {
  const profile = await freshProfile(run, user, room)
  keepProfile(process.env, devProfile, profile)
  renewLater(run, user, room, profile)
}

function renewLater(run: ServerRun, user: string, room: string, { expiresAt = 0 }: Profile): void {
  const halfTime = Math.max(1_000, (expiresAt - Date.now()) / 2)
  setTimeout(async () => {
    const profile = await freshProfile(run, user, room)
    const { current, profiles } = readProfiles(process.env)
    writeProfiles(process.env, { current, profiles: { ...profiles, [devProfile]: profile } })
    renewLater(run, user, room, profile)
  }, halfTime).unref()
}

async function freshProfile(run: ServerRun, user: string, room: string): Promise<Profile> {
  const { token, expiresAt } = await run.sessionToken(user)
  return { url: run.url, token, room, user, expiresAt }
}
