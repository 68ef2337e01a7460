// What screens outside of rooms ask: errors, series, the overview.

import { routes } from '@millrace/protocol'
import { listErrors } from '../error/list-errors.ts'
import { lookAtOverview } from '../overview/look-at-overview.ts'
import { lookAtSeries } from '../overview/look-at-series.ts'
import { openRoom } from '../room/rooms.ts'
import type { ServerParts } from '../server-parts.ts'
import type { AddRoute } from './add-routes.ts'
import { answer } from './route-handler.ts'

const errorsPerPage = 100

export function overviewRoutes(parts: ServerParts, add: AddRoute): void {
  const { rooms, series } = parts
  add(routes.listErrors, async ({ query, who }) => {
    const { room: name, limit = errorsPerPage, ...filter } = query
    const room = name === undefined ? null : await openRoom(rooms, name, who, 'read')
    if (room && 'refused' in room) return room
    return answer(200, await listErrors(parts, who, { ...filter, room: room?.name ?? null, limit }))
  })
  add(routes.getSeries, async ({ query, who }) => {
    const { room: name, span = 'hour', ...bounds } = query
    const room = name === undefined ? null : await openRoom(rooms, name, who, 'read')
    if (room && 'refused' in room) return room
    const points = await lookAtSeries(parts, who, { ...bounds, span, room: room?.name ?? null })
    return answer(200, { stepMs: series.stepMs(span), countedSince: series.countedSince, points })
  })
  add(routes.getOverview, async ({ who }) => answer(200, await lookAtOverview({ ...parts.why, series }, who)))
}
