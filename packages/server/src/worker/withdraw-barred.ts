// Workers whose user may no longer use a room stop serving it at once, however they are connected; what they run for it
// goes to others.

import { maySubmit, type UserName, type UserRole } from '@millrace/domain'
import { applyReports } from '../job/attempt-reports.ts'
import type { Rooms } from '../room/rooms.ts'
import { type LossParts, unregister } from './lose-worker.ts'
import type { Stationed } from './roster.ts'

export interface BarParts extends LossParts {
  readonly rooms: Rooms
  readonly roleOfUser: (name: string) => Promise<UserRole | null>
}

/** Of the workers stationed here: every replica hears of the change and looks at its own. */
export async function withdrawBarred(parts: BarParts, room: string): Promise<void> {
  for (const stationed of [...parts.roster.all()]) {
    const { worker, serves } = stationed.record
    if (!serves.some((served) => served.room === room)) continue
    if (await isWelcome(parts, room, worker.user)) continue
    await unregister(parts, worker.id, (served) => served.room === room)
    await takeBack(parts, room, stationed)
  }
}

async function isWelcome({ rooms, roleOfUser }: BarParts, room: string, user: UserName): Promise<boolean> {
  const [known, role] = await Promise.all([rooms.get(room), roleOfUser(user)])
  return known !== null && role !== null && maySubmit(known.value, { user, role })
}

async function takeBack({ reports }: BarParts, room: string, { running }: Stationed): Promise<void> {
  const lost = [...running.values()]
    .filter((attempt) => attempt.room === room)
    .map(({ job, token }) => ({ room, job, events: [{ type: 'worker_lost' as const, token }] }))
  await applyReports(reports, lost)
}
