// millrace rooms access, limit and weight: one setting of a room each.

import type { BodyOf, routes } from '@millrace/protocol'
import { Argument, Command } from 'commander'
import { type GlobalFlags, sessionOf, withExamples, withTarget } from '../command.ts'
import { usageError } from '../output/cli-error.ts'
import { showRoom } from './show-room.ts'

type Change = BodyOf<typeof routes.changeRoom>

export function changeRoomCommands(): readonly Command[] {
  const access = new Argument('<access>', 'who sees it').choices(['open', 'private'])
  const limit = new Argument('<count>', "jobs that run at once, or 'none'")
  const weight = new Argument('<weight>', 'its share beside other rooms, 1 to 100')
  return [
    withExamples(
      changing('access', 'who sees a room', access, (value) => ({ access: value as 'open' | 'private' })),
      'millrace rooms access lab private',
    ),
    withExamples(
      changing('limit', 'how many jobs of a room run at once', limit, (value) => ({
        limit: value === 'none' ? null : wholeNumber(value),
      })),
      'millrace rooms limit lab 4',
      'millrace rooms limit lab none',
    ),
    withExamples(
      changing('weight', "a room's share where several compete", weight, (value) => ({
        weight: wholeNumber(value),
      })),
      'millrace rooms weight lab 3',
    ),
  ]
}

function changing(
  name: string,
  about: string,
  value: Argument,
  changeOf: (value: string) => Change,
): Command {
  return withTarget(new Command(name))
    .description(about)
    .argument('<room>', 'the room')
    .addArgument(value)
    .action(async (room: string, given: string, flags: GlobalFlags) => {
      const { api, terminal } = sessionOf({ ...flags, room })
      const body = changeOf(given)
      terminal.result(await api.ask('PATCH /api/rooms/{room}', { params: { room }, body }), showRoom)
    })
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageError(`'${text}' is no whole number.`)
}
