// What somebody may do in a room they can see.

import { type Caller, type MemberRole, type Room, standingOf } from '@millrace/domain'

/** Whoever is shown a room may read it, so no stranger and no pool comes by here; were one to, it would read and no more. */
export function visibleStanding(room: Room, who: Caller): MemberRole {
  const standing = standingOf(room, who)
  return standing === 'stranger' || standing === 'pool' ? 'viewer' : standing
}
