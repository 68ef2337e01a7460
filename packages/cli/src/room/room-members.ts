// millrace rooms members ls, add and rm

import type { RoomView } from '@millrace/protocol'
import { Command, Option } from 'commander'
import { type GlobalFlags, noun, sessionOf, withExamples, withTarget } from '../command.ts'
import { table } from '../output/table.ts'

const roles = ['owner', 'member', 'viewer'] as const

export function roomMembersCommand(): Command {
  return noun('members', 'who belongs to a room', listMembers(), addMember(), removeMember())
}

function listMembers(): Command {
  const command = withTarget(new Command('ls'))
    .description('who belongs to a room')
    .argument('<room>', 'the room')
    .action(async (room: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf({ ...flags, room })
      const { members } = await api.ask('GET /api/rooms/{room}', { params: { room } })
      terminal.result({ members }, (shown) => showMembers(shown.members))
    })
  return withExamples(command, 'millrace rooms members ls lab')
}

function addMember(): Command {
  const command = withTarget(new Command('add'))
    .description('add a member, or change what they may do')
    .argument('<room>', 'the room')
    .argument('<user>', 'who')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('member'))
    .action(
      async (room: string, user: string, flags: GlobalFlags & { readonly role: (typeof roles)[number] }) => {
        const { api, terminal } = sessionOf({ ...flags, room })
        const changed = await api.ask('PUT /api/rooms/{room}/members/{user}', {
          params: { room, user },
          body: { role: flags.role },
        })
        terminal.result({ members: changed.members }, (shown) => showMembers(shown.members))
      },
    )
  return withExamples(command, 'millrace rooms members add lab alice --role viewer')
}

function removeMember(): Command {
  const command = withTarget(new Command('rm'))
    .description('remove a member, or leave')
    .argument('<room>', 'the room')
    .argument('<user>', 'who')
    .action(async (room: string, user: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf({ ...flags, room })
      await api.ask('DELETE /api/rooms/{room}/members/{user}', { params: { room, user } })
      terminal.result({ room, user, removed: true }, () => `${user} no longer belongs to ${room}.`)
    })
  return withExamples(command, 'millrace rooms members rm lab alice')
}

function showMembers(members: RoomView['members']): string {
  return table(
    ['user', 'role'],
    members.map(({ user, role }) => [user, role]),
  )
}
