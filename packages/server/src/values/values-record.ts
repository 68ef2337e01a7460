// What a user submitted last to an extension in a room, as the store keeps it. For category `settings` this is all that
// is kept: such an extension has no queue.

import { type ExtensionId, extensionKey, valuesExpireAt } from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'

export interface Values {
  readonly values: unknown
  readonly at: number
}

const valuesChanged = 'values:changed'

/** The length keeps a slash in a user's name from meaning another's key. */
export function valuesKey(user: string, id: ExtensionId): RecordKey {
  return `values/${user.length}/${user}/${extensionKey(id)}`
}

/** The last one wins, so no version is expected. */
export function putValues(user: string, id: ExtensionId, { values, at }: Values): Put {
  const dueAt = valuesExpireAt(user, id, at)
  const head = JSON.stringify({ at, ...(dueAt !== null && { expiresAt: dueAt }) })
  return {
    key: valuesKey(user, id),
    head,
    body: JSON.stringify(values),
    ...(dueAt !== null && { dueAt }),
  }
}

/** Names the user, to whose sessions alone it is told; the values are left for them to fetch. */
export function announceValues(user: string, { scope, category, name }: ExtensionId): Announcement {
  const event = { type: valuesChanged, user, scope, category, name }
  return { subject: valuesKey(user, { scope, category, name }), event: JSON.stringify(event) }
}

interface ValuesHead {
  readonly at: number
  readonly expiresAt?: number
}

export function valuesOfRecord({ head, body }: StoredRecord): Values {
  const { at } = JSON.parse(head) as ValuesHead
  return { values: JSON.parse(body) as unknown, at }
}

export function expiryOfValues({ head }: StoredRecord): number | null {
  return (JSON.parse(head) as ValuesHead).expiresAt ?? null
}
