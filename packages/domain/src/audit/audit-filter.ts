// Who may read the audit trail, and which of its entries a page asked for.

import { type Refusal, refuse } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import type { AuditEntry } from './audit-entry.ts'

export interface AuditFilter {
  readonly actor?: string
  /** A whole action (`room.create`), or the noun before its dot for all of that noun's. */
  readonly action?: string
}

/** The whole trail tells of every room. That of one room is for those who manage it, as `enterRoom` says. */
export function trailRefusal({ role, onlyRoom }: Caller): Refusal | null {
  return role === 'admin' && onlyRoom === undefined ? null : refuse('admin_required')
}

export function meetsAuditFilter(entry: AuditEntry, { actor, action }: AuditFilter): boolean {
  return (
    (actor === undefined || entry.actor === actor) &&
    (action === undefined || entry.action === action || entry.action.startsWith(`${action}.`))
  )
}
