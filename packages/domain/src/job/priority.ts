// How high a job may be placed, and by whom. A wish above one's role is granted as far as the role goes, since the
// same client code runs under every role; a value outside the scale is a mistake and is refused.

import { type Limit, limitRefusal, whole } from '../limit.ts'
import type { Refusal } from '../refusal.ts'
import type { UserRole } from '../room/caller.ts'

export const priorityLimit: Limit = whole(0, 10)

export const priorityCaps: Readonly<Record<UserRole, number>> = { pool: 0, guest: 3, user: 7, admin: 10 }

export function priorityRefusal(priority: number): Refusal | null {
  return limitRefusal('priority_invalid', 'priority', priority, priorityLimit)
}

export function capPriority(priority: number, role: UserRole): number | Refusal {
  return priorityRefusal(priority) ?? Math.min(priority, priorityCaps[role])
}
