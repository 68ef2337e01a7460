// millrace profiles ls, use and rm: the servers somebody has signed in to.

import { Command } from 'commander'
import { noun, withExamples, withJson } from '../command.ts'
import { dropProfile, type Profile, readProfiles, writeProfiles } from '../connection/profile.ts'
import { noSuchProfile } from '../connection/target.ts'
import { self } from '../output/own-name.ts'
import { table } from '../output/table.ts'
import { createTerminal } from '../output/terminal.ts'
import { showUntil } from '../output/time.ts'

interface Flags {
  readonly json?: boolean
}

/** Without its token: what is listed may be looked at by others. */
interface ListedProfile extends Omit<Profile, 'token'> {
  readonly name: string
  readonly current: boolean
}

export function profilesCommand(): Command {
  return noun('profiles', 'servers you signed in to', listProfiles(), useProfile(), removeProfile())
}

function listProfiles(): Command {
  const command = withJson(new Command('ls'))
    .description('the servers you signed in to')
    .action((flags: Flags) => {
      const { current, profiles } = readProfiles(process.env)
      const listed = Object.entries(profiles).map(([name, { token: _token, ...profile }]) => ({
        name,
        current: name === current,
        ...profile,
      }))
      createTerminal(flags.json === true).result({ profiles: listed }, (shown) =>
        showProfiles(shown.profiles),
      )
    })
  return withExamples(command, 'millrace profiles ls')
}

function useProfile(): Command {
  const command = withJson(new Command('use'))
    .description('the one that is meant when none is named')
    .argument('<profile>', 'its name')
    .action((name: string, flags: Flags) => {
      const { profiles } = readProfiles(process.env)
      const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
      if (!profile) throw noSuchProfile(name, Object.keys(profiles))
      writeProfiles(process.env, { current: name, profiles })
      const { url } = profile
      createTerminal(flags.json === true).result(
        { current: name, url },
        () => `${name} (${url}) is used now.`,
      )
    })
  return withExamples(command, 'millrace profiles use dev')
}

function removeProfile(): Command {
  const command = withJson(new Command('rm'))
    .description('forget one; `logout` also ends its session')
    .argument('<profile>', 'its name')
    .action((name: string, flags: Flags) => {
      const { profiles } = readProfiles(process.env)
      if (!Object.hasOwn(profiles, name)) throw noSuchProfile(name, Object.keys(profiles))
      dropProfile(process.env, name)
      createTerminal(flags.json === true).result({ removed: name }, () => `Profile ${name} is forgotten.`)
    })
  return withExamples(command, 'millrace profiles rm demo')
}

function showProfiles(profiles: readonly ListedProfile[]): string {
  if (profiles.length === 0) return `No profiles yet. Sign in: ${self} login`
  const rows = profiles.map(({ name, current, url, user, room, expiresAt }) => [
    current ? `${name} *` : name,
    url,
    user ?? '',
    room ?? '',
    expiresAt === undefined ? '' : showUntil(expiresAt, Date.now()),
  ])
  return table(['profile', 'server', 'user', 'room', 'ends'], rows)
}
