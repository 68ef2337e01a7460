// The audit trail: the whole of it for admins, that of a room for those who manage it.

import type { AuditEntry, Caller } from '@millrace/domain'
import { type AuditQuery, type AuditView, routes } from '@millrace/protocol'
import { type AuditPage, listAudit } from '../audit/list-audit.ts'
import { refusedHere } from '../refusal/problem-of.ts'
import type { ServerParts } from '../server-parts.ts'
import type { AddRoute } from './add-routes.ts'
import { answer } from './route-handler.ts'

const entriesPerPage = 50

export function auditRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.listAudit, async ({ query: { room = null, ...query }, who }) => pageOf(parts, who, room, query))
  add(routes.listRoomAudit, async ({ params, query, who }) => pageOf(parts, who, params.room, query))
}

async function pageOf(parts: ServerParts, who: Caller, room: string | null, query: AuditQuery) {
  const { actor, action, since, until, cursor, limit = entriesPerPage } = query
  if (cursor !== undefined && !/^audit\/[0-9a-f-]{1,64}$/.test(cursor))
    return refusedHere('request_invalid', 'The cursor is not one that a page gave.', {
      where: 'querystring',
      pointer: '/cursor',
    })
  const page = await listAudit(parts, who, {
    room,
    filter: { ...(actor !== undefined && { actor }), ...(action !== undefined && { action }) },
    limit,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(cursor !== undefined && { cursor }),
  })
  return 'refused' in page ? page : answer(200, view(page))
}

function view({ entries, cursor }: AuditPage): { entries: AuditView[]; cursor?: string } {
  return { entries: entries.map(entryView), ...(cursor !== undefined && { cursor }) }
}

function entryView(entry: AuditEntry): AuditView {
  return { ...entry, details: { ...entry.details } }
}
