// Keeps whoever runs a development server signed in to it: its profile always holds a session that holds. That is `dev`,
// unless a server that still answers has it: then it is one of its own, which goes when the server stops.

import type { ServerRun } from '@millrace/server'
import { dropProfile, keepProfile, type Profile, readProfiles, writeProfiles } from '../connection/profile.ts'

const usual = 'dev'
/** One that is gone refuses at once; one that is there may be held up by a busy machine, and its profile is not free. */
const answerMs = 10_000

export interface DevSession {
  readonly run: ServerRun
  readonly user: string
  readonly room: string
  /** So that a second server for the same folder can say where the first one is. */
  readonly dataDir: string
  readonly warn: (text: string) => void
}

export interface SignedIn {
  readonly profile: string
  /** Lets the profile count that did before, and forgets one of its own. */
  leave(): void
}

/** From now on it is the profile that counts; later sessions replace the token and leave that as it is by then. */
export async function keepSignedIn(session: DevSession): Promise<SignedIn> {
  const { url } = session.run
  const { current: before } = readProfiles(process.env)
  const name = (await isOthers(usual, url)) ? `${usual}-${new URL(url).port}` : usual
  const profile = await freshProfile(session)
  keepProfile(process.env, name, profile)
  renewLater(session, name, profile)
  return {
    profile: name,
    leave: () => {
      try {
        leave(name, before)
      } catch (fault) {
        // A server has to stop in order, whatever became of the file.
        session.warn(`the profile ${name} stays: ${(fault as Error).message}`)
      }
    },
  }
}

function leave(name: string, before: string | null): void {
  const { current } = readProfiles(process.env)
  if (name !== usual) dropProfile(process.env, name)
  if (current !== name) return
  const { profiles } = readProfiles(process.env)
  const next = [before, usual].find((each) => each !== null && Object.hasOwn(profiles, each)) ?? null
  writeProfiles(process.env, { current: next, profiles })
}

/** A profile of a server that is gone is free. */
async function isOthers(name: string, url: string): Promise<boolean> {
  const kept = readProfiles(process.env).profiles[name]
  if (kept === undefined || kept.url === url) return false
  try {
    return (await fetch(`${kept.url}/health/live`, { signal: AbortSignal.timeout(answerMs) })).ok
  } catch {
    return false
  }
}

function renewLater(session: DevSession, name: string, { expiresAt = 0 }: Profile): void {
  const halfTime = Math.max(1_000, (expiresAt - Date.now()) / 2)
  const failed = (fault: unknown): void => session.warn(`the profile ${name} ends soon: ${String(fault)}`)
  setTimeout(() => void renew(session, name).catch(failed), halfTime).unref()
}

async function renew(session: DevSession, name: string): Promise<void> {
  const profile = await freshProfile(session)
  const { current, profiles } = readProfiles(process.env)
  writeProfiles(process.env, { current, profiles: { ...profiles, [name]: profile } })
  renewLater(session, name, profile)
}

async function freshProfile({ run, user, room, dataDir }: DevSession): Promise<Profile> {
  const { token, expiresAt } = await run.sessionToken(user)
  return { url: run.url, token, room, user, expiresAt, dataDir }
}
