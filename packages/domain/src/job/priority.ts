// How high a job may be placed, and by whom. A wish above one's role is granted as far as the role goes, since the
// same client code runs under every role; a value outside the scale is a mistake and is refused.

import { type Refusal, refuse } from '../refusal.ts'

export const priorityLimits = { min: 0, max: 10 } as const

export const priorityCaps = { guest: 3, user: 7, admin: 10 } as const

export function capPriority(priority: number, role: keyof typeof priorityCaps): number | Refusal {
  const { min, max } = priorityLimits
  if (!Number.isInteger(priority) || priority < min || priority > max) {
    return refuse('priority_invalid', `A priority is a whole number from ${min} to ${max}.`, { min, max })
  }
  return Math.min(priority, priorityCaps[role])
}
