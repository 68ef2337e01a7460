// One entry of the audit trail: who did what to what, when, and how it went. It says that a secret was changed and never
// what it is: whoever makes a deed names each detail that is kept.

import type { RoomName, UserName } from '../ids.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import type { AuditAction } from './audit-action.ts'

export type AuditDetail = string | number | boolean | null

/** `begun`: about many jobs, and not known to have come to its end. */
export type AuditOutcome = 'done' | 'begun' | 'refused'

/** What somebody does, as its use-case tells it to the trail. */
export interface Deed {
  /** Null: nobody who is known, or the server's own configuration. */
  readonly who: Pick<Caller, 'user' | 'role'> | null
  readonly action: AuditAction
  /** The name or id of what it was done to. */
  readonly target: string
  /** The room it concerns, where it is not kept with that room anyway. */
  readonly room?: RoomName
  readonly outcome?: AuditOutcome
  readonly details?: Readonly<Record<string, AuditDetail | undefined>>
}

export interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly actor: UserName | null
  readonly role: UserRole | null
  readonly action: AuditAction
  readonly target: string
  readonly room: RoomName | null
  readonly outcome: AuditOutcome
  readonly details: Readonly<Record<string, AuditDetail>>
}

/** Names and ids are shorter; whatever is longer was made to fill the trail. */
export const auditTextMaxLength = 200

export function auditEntry(id: string, deed: Deed, room: RoomName | null, at: number): AuditEntry {
  const { who, action, target, outcome = 'done', details = {} } = deed
  return {
    id,
    at,
    actor: who?.user ?? null,
    role: who?.role ?? null,
    action,
    target: cut(target),
    room,
    outcome,
    details: keptDetails(details),
  }
}

/** The entry of a deed that has come to its end. */
export function endedEntry(begun: AuditEntry, details: Deed['details'] = {}): AuditEntry {
  return { ...begun, outcome: 'done', details: { ...begun.details, ...keptDetails(details) } }
}

function keptDetails(details: NonNullable<Deed['details']>): AuditEntry['details'] {
  const kept: Record<string, AuditDetail> = {}
  for (const [name, value] of Object.entries(details)) {
    if (value !== undefined) kept[name] = typeof value === 'string' ? cut(value) : value
  }
  return kept
}

function cut(text: string): string {
  return text.length <= auditTextMaxLength ? text : `${text.slice(0, auditTextMaxLength - 1)}…`
}
