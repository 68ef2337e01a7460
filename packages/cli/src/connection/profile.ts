// The servers somebody has signed in to, by name: one file in their configuration folder that only they can read.
// `dev` writes one of its own at every start, so that a second terminal needs nothing pasted.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'

export interface Profile {
  readonly url: string
  readonly token: string
  /** The room that is meant when none is named. */
  readonly room?: string
  /** As whom, and until when; for people who look at the list. */
  readonly user?: string
  readonly expiresAt?: number
  /** Of a development server on this machine: the folder it keeps its data in. */
  readonly dataDir?: string
}

export interface Profiles {
  /** The one that counts when none is named. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

export type Environment = Readonly<Record<string, string | undefined>>

const none: Profiles = { current: null, profiles: {} }

function profilesFile(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return env.MILLRACE_PROFILES || join(folder, 'millrace', 'profiles.json')
}

export function readProfiles(env: Environment): Profiles {
  const path = profilesFile(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return none
    throw unusable(path, error)
  }
  try {
    return { ...none, ...(JSON.parse(text) as Partial<Profiles>) }
  } catch (error) {
    throw unusable(path, error)
  }
}

/** By rename: another command that writes at the same time must not leave half a file. */
export function writeProfiles(env: Environment, profiles: Profiles): void {
  const path = profilesFile(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

export function keepProfile(env: Environment, name: string, profile: Profile): void {
  const before = readProfiles(env)
  writeProfiles(env, { current: name, profiles: { ...before.profiles, [name]: profile } })
}

/** Without it; the one that counts when none is named stays, unless it was this. */
export function dropProfile(env: Environment, name: string): void {
  const { current, profiles } = readProfiles(env)
  const { [name]: _dropped, ...others } = profiles
  writeProfiles(env, { current: current === name ? null : current, profiles: others })
}

function unusable(path: string, error: unknown): CliError {
  return new CliError(`The profiles in ${path} cannot be read: ${(error as Error).message}`, {
    exitCode: exitCodes.usage,
    code: 'profiles_unusable',
    next: `Mend or remove the file, then sign in again with \`${self} login\`.`,
  })
}
