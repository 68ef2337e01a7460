// Extensions of a room: what can be run, how it does, running it, and who may serve it.

import type { Caller, ExtensionId, Room } from '@millrace/domain'
import { type ExtensionDetail, type ExtensionView, routes, type Scope } from '@millrace/protocol'
import { admitUser, dismissUser } from '../extension/admit-user.ts'
import { extensionStats, extensionsOverview } from '../extension/extension-stats.ts'
import { setPause } from '../extension/pause-extension.ts'
import { resetBreaker } from '../extension/reset-breaker.ts'
import {
  getExtension,
  listExtensions,
  type SeenExtension,
  type SeenExtensionDetail,
} from '../extension/view-extensions.ts'
import { submitToExtension } from '../job/submit-to-extension.ts'
import { openRoom } from '../room/rooms.ts'
import type { ServerParts } from '../server-parts.ts'
import { recentInputs } from '../values/recent-inputs.ts'
import { lastValues } from '../values/store-values.ts'
import { workersOf } from '../worker/list-workers.ts'
import { unregister } from '../worker/lose-worker.ts'
import type { AddRoute } from './add-routes.ts'
import { type Answer, answer } from './route-handler.ts'

interface Named {
  readonly room: string
  readonly scope: Scope
  readonly category: string
  readonly name: string
}

export function extensionRoutes(parts: ServerParts, add: AddRoute): void {
  const extensionParts = { store: parts.store, extensions: parts.known }
  const enter = doorOf(parts)

  add(routes.listExtensions, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    if ('refused' in room) return room
    return answer(200, { extensions: (await listExtensions(extensionParts, room)).map(view) })
  })
  add(routes.getExtension, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    return 'refused' in room ? room : detailed(extensionParts, room, idOf(params))
  })
  add(routes.extensionStats, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    if ('refused' in room) return room
    const stats = await extensionStats(parts, room, idOf(params))
    return 'refused' in stats ? stats : answer(200, stats)
  })
  add(routes.extensionsOverview, async ({ who }) =>
    answer(200, { extensions: await extensionsOverview(parts, who) }),
  )
  add(routes.getValues, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    if ('refused' in room) return room
    const last = await lastValues(parts.store, room.name, who.user, idOf(params))
    return answer(200, last ?? { values: null, at: null })
  })
  add(routes.recentInputs, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    if ('refused' in room) return room
    return answer(200, { inputs: await recentInputs(parts.store, room.name, who.user, idOf(params)) })
  })
  add(routes.pauseExtension, pausing(parts, 'pause'))
  add(routes.resumeExtension, pausing(parts, 'resume'))
  add(routes.resetBreaker, resetting(parts))
  submitRoutes(parts, add)
  admissionRoutes(parts, add)
}

function pausing(parts: ServerParts, wanted: 'pause' | 'resume') {
  const extensionParts = { store: parts.store, extensions: parts.known }
  return async ({ params, who }: { readonly params: Named; readonly who: Caller }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'read')
    if ('refused' in room) return room
    const refusal = await setPause(extensionParts, who, room, idOf(params), wanted)
    return refusal ?? detailed(extensionParts, room, idOf(params))
  }
}

function resetting(parts: ServerParts) {
  const extensionParts = { store: parts.store, extensions: parts.known }
  return async ({ params, who }: { readonly params: Named; readonly who: Caller }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'read')
    if ('refused' in room) return room
    const resetParts = { ...extensionParts, onChanged: parts.onBreakerChanged }
    const refusal = await resetBreaker(resetParts, who, room, idOf(params))
    return refusal ?? detailed(extensionParts, room, idOf(params))
  }
}

function submitRoutes(parts: ServerParts, add: AddRoute): void {
  const { submitting } = parts
  const enter = doorOf(parts)
  add(routes.submitToExtension, async ({ params, body, bodyBytes, who }) => {
    const room = await enter(params, who, 'submit')
    if ('refused' in room) return room
    const submitted = await submitToExtension(submitting, who, room, idOf(params), {
      requests: [body],
      bodyBytes,
    })
    if ('refused' in submitted) return submitted
    return 'values' in submitted ? answer(200, submitted) : answer(201, submitted.jobs[0])
  })
  add(routes.submitManyToExtension, async ({ params, body, bodyBytes, who }) => {
    const room = await enter(params, who, 'submit')
    if ('refused' in room) return room
    const submitted = await submitToExtension(submitting, who, room, idOf(params), {
      requests: body.jobs,
      bodyBytes,
    })
    return 'refused' in submitted ? submitted : answer(201, submitted)
  })
}

function admissionRoutes(parts: ServerParts, add: AddRoute): void {
  const enter = doorOf(parts)
  const extensionParts = { store: parts.store, extensions: parts.known }
  add(routes.admitUser, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    if ('refused' in room) return room
    const admitted = await admitUser(
      { ...extensionParts, roleOfUser: parts.roleOfUser },
      who,
      room,
      idOf(params),
      params.user,
    )
    return 'refused' in admitted ? admitted : detailed(extensionParts, room, idOf(params))
  })
  add(routes.dismissUser, async ({ params, who }) => {
    const room = await enter(params, who, 'read')
    if ('refused' in room) return room
    const dismissal = { ...extensionParts, roleOfUser: parts.roleOfUser, workersOf: workersOf(parts.store) }
    const dismissed = await dismissUser(dismissal, who, room, idOf(params), params.user)
    if ('refused' in dismissed) return dismissed
    const { category, name, scope } = params
    for (const worker of dismissed.withdraw) {
      await unregister(
        parts,
        worker,
        (served) => served.category === category && served.name === name && served.scope === scope,
      )
    }
    return detailed(extensionParts, room, idOf(params))
  })
}

function doorOf({ rooms }: ServerParts) {
  return (params: Pick<Named, 'room'>, who: Caller, right: 'read' | 'submit') =>
    openRoom(rooms, params.room, who, right)
}

function idOf({ scope, category, name }: Named): ExtensionId {
  return { scope, category, name }
}

async function detailed(
  parts: Parameters<typeof getExtension>[0],
  room: Room,
  id: ExtensionId,
): Promise<Answer | Extract<Awaited<ReturnType<typeof getExtension>>, { refused: unknown }>> {
  const found = await getExtension(parts, room, id)
  return 'refused' in found ? found : answer(200, detail(found))
}

function view(seen: SeenExtension): ExtensionView {
  return { ...seen, schema: { ...seen.schema }, waitingFor: [...seen.waitingFor], policy: { ...seen.policy } }
}

function detail({ admitted, versions, ...seen }: SeenExtensionDetail): ExtensionDetail {
  return {
    ...view(seen),
    admitted: [...admitted],
    versions: versions.map((version) => ({
      ...version,
      workers: [...version.workers],
      changes: [...version.changes],
    })),
  }
}
