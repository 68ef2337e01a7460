// A worker that is run anew stays at the server and in the room it began with, whatever profile counts by then.

import { type Environment, readProfiles } from '../connection/profile.ts'
import { parseUrl, type Target } from '../connection/target.ts'

/** The token is the profile's of this moment: a server that was restarted may have given it another. */
export function sameServer(began: Target, env: Environment): NodeJS.ProcessEnv {
  const { url, token, room, profile: name } = began
  const profile = name === null ? undefined : readProfiles(env).profiles[name]
  const kept = { ...env, ...(room !== null && { MILLRACE_ROOM: room }) }
  if (name !== null && profile && parseUrl(profile.url) === url) return { ...kept, MILLRACE_PROFILE: name }
  return { ...kept, MILLRACE_URL: url, ...(token !== null && { MILLRACE_TOKEN: token }) }
}
