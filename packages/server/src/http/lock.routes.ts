// The locks of a room.

import { type LockView, routes } from '@millrace/protocol'
import { freeLock, type HeldLock, holdLock, keepLock, listLocks, tellLock } from '../lock/hold-locks.ts'
import type { ServerParts } from '../server-parts.ts'
import type { AddRoute } from './add-routes.ts'
import { type Answer, answer } from './route-handler.ts'

export function lockRoutes({ locks }: ServerParts, add: AddRoute): void {
  add(routes.listLocks, async ({ params, who }) => {
    const found = await listLocks(locks, who, params.room)
    return 'refused' in found ? found : answer(200, { locks: found })
  })
  add(routes.acquireLock, async ({ params, body, who }) => shown(await holdLock(locks, who, params, body)))
  add(routes.refreshLock, async ({ params, body, who }) => shown(await keepLock(locks, who, params, body)))
  add(routes.releaseLock, async ({ params, body, who }) => shown(await freeLock(locks, who, params, body)))
  add(routes.messageLock, async ({ params, body, who }) => shown(await tellLock(locks, who, params, body)))
}

function shown<Refused>(lock: HeldLock | Refused): Answer | Refused {
  if (!isHeld(lock)) return lock
  const { session: _session, ...view } = lock
  return answer(200, view satisfies LockView)
}

function isHeld(lock: unknown): lock is HeldLock {
  return (lock as HeldLock).session !== undefined
}
