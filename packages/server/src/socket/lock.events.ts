// Locks over the socket. A connection that is lost gives the locks it held their grace period, unless its session has
// come back meanwhile and refreshes them.

import type { SessionId } from '@millrace/domain'
import { serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io'
import { freeLock, type HeldLock, holdLock, keepLock, tellLock } from '../lock/hold-locks.ts'
import type { ServerParts } from '../server-parts.ts'
import { addEvent, type EventDoor } from './event-handler.ts'

export function lockEvents({ locks }: ServerParts, door: EventDoor): (socket: Socket) => void {
  const lost = (session: SessionId): void => {
    locks.held.lost(session).catch((fault) => door.onFault(fault, 'disconnect'))
  }
  const told = <Refused extends object>(socket: Socket, lock: HeldLock | Refused) => {
    if (!('session' in lock)) return lock as Refused
    const { session, ...view } = lock
    if (socket.connected) locks.held.speaks(socket, session)
    else lost(session)
    return view
  }
  const adders = [
    addEvent(door, serverEvents.lockAcquire, async ({ payload: { room, target, ...asked }, who, socket }) =>
      told(socket, await holdLock(locks, who, { room, target }, asked)),
    ),
    addEvent(door, serverEvents.lockRefresh, async ({ payload: { room, target, ...asked }, who, socket }) =>
      told(socket, await keepLock(locks, who, { room, target }, asked)),
    ),
    addEvent(door, serverEvents.lockRelease, async ({ payload: { room, target, ...asked }, who, socket }) =>
      told(socket, await freeLock(locks, who, { room, target }, asked)),
    ),
    addEvent(door, serverEvents.lockMessage, async ({ payload: { room, target, ...asked }, who, socket }) =>
      told(socket, await tellLock(locks, who, { room, target }, asked)),
    ),
  ]
  return (socket) => {
    for (const add of adders) add(socket)
    socket.on('disconnect', () => {
      for (const session of locks.held.spokenForBy(socket)) lost(session)
    })
  }
}
