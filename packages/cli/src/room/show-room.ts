// One room, for the eye.

import type { RoomView } from '@millrace/protocol'
import { facts } from '../output/table.ts'
import { showAgo, showInstant } from '../output/time.ts'

export function showRoom({ name, access, standing, members, limit, weight, createdAt }: RoomView): string {
  const who = members.map(({ user, role }) => `${user} (${role})`).join(', ')
  return facts([
    ['room', name],
    ['access', access === 'open' ? 'open: everybody here may see it and submit' : 'private: members only'],
    ['you are', standing],
    ['members', who || 'nobody'],
    ['limit', limit === null ? 'none' : `${limit} jobs at once`],
    ['weight', String(weight)],
    ['made', `${showInstant(createdAt)} (${showAgo(createdAt, Date.now())})`],
  ])
}
