// millrace rooms use: keeps in the profile which room is meant when none is named.

import { Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { readProfiles, writeProfiles } from '../connection/profile.ts'
import { CliError, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'

export function useRoomCommand(): Command {
  const command = withTarget(new Command('use'))
    .description('the room that is meant when none is named')
    .argument('<room>', 'the room')
    .action(async (room: string, flags: GlobalFlags) => {
      const { api, target, terminal } = sessionOf({ ...flags, room })
      await api.ask('GET /api/rooms/{room}', { params: { room } })
      const { current, profiles } = readProfiles(process.env)
      const profile = target.profile === null ? undefined : profiles[target.profile]
      if (target.profile === null || !profile) throw noProfile(room)
      writeProfiles(process.env, {
        current,
        profiles: { ...profiles, [target.profile]: { ...profile, room } },
      })
      terminal.result(
        { profile: target.profile, room },
        () => `Profile ${target.profile} now means room ${room}.`,
      )
    })
  return withExamples(command, 'millrace rooms use lab')
}

function noProfile(room: string): CliError {
  return new CliError('There is no profile to keep the room in.', {
    exitCode: exitCodes.usage,
    code: 'profile_missing',
    next: `Sign in with \`${self} login\`, or set MILLRACE_ROOM=${room}.`,
  })
}
