// Joining and leaving: who may hear what. Rights are asked at the door and again whenever the room changes.

import { serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io'
import { refusedHere } from '../refusal/problem-of.ts'
import { openRoom } from '../room/rooms.ts'
import { visibleStanding } from '../room/visible-standing.ts'
import type { ServerParts } from '../server-parts.ts'
import { addEvent, type EventDoor } from './event-handler.ts'
import type { FeedQueue } from './feed-queue.ts'
import { adminChannel, auditChannel, jobChannel, roomChannel, systemChannel } from './room-feed.ts'

/** As what a socket joined each of its rooms: when that changes, it has to join anew. */
export function standingsOf(socket: Socket): Map<string, string> {
  const data = socket.data as { standings?: Map<string, string> }
  data.standings ??= new Map()
  return data.standings
}

export function roomEvents(parts: ServerParts, door: EventDoor, feed: FeedQueue): (socket: Socket) => void {
  const adders = [
    addEvent(door, serverEvents.roomJoin, async ({ payload, who, socket }) => {
      const room = await openRoom(parts.rooms, payload.room, who, 'read')
      if ('refused' in room) return room
      const standing = visibleStanding(room, who)
      standingsOf(socket).set(room.name, standing)
      enter(parts, socket, room.name, who.user)
      feed.tell()
      await socket.join(roomChannel(room.name))
      if (standing === 'owner') await socket.join(auditChannel(room.name))
      if (payload.job !== undefined) await socket.join(jobChannel(room.name, payload.job))
      return feed.position(room.name, roomChannel(room.name))
    }),
    addEvent(door, serverEvents.roomLeave, async ({ payload, socket }) => {
      enteredBy(socket).get(payload.room)?.()
      await socket.leave(roomChannel(payload.room))
      await socket.leave(auditChannel(payload.room))
      for (const channel of socket.rooms) {
        if (channel.startsWith(jobChannel(payload.room, ''))) await socket.leave(channel)
      }
      return {}
    }),
    addEvent(door, serverEvents.systemJoin, async ({ who, socket }) => {
      if (who.onlyRoom !== undefined) return refusedHere('session_required')
      const channel = who.role === 'admin' ? adminChannel : systemChannel
      feed.tell()
      await socket.join(channel)
      return feed.position('system', channel)
    }),
  ]
  return (socket) => {
    for (const add of adders) add(socket)
    socket.on('disconnect', () => {
      for (const leave of enteredBy(socket).values()) leave()
    })
  }
}

/** By room, what ends its session there. */
function enteredBy(socket: Socket): Map<string, () => void> {
  const data = socket.data as { entered?: Map<string, () => void> }
  data.entered ??= new Map()
  return data.entered
}

function enter({ presence }: ServerParts, socket: Socket, room: string, user: string): void {
  const entered = enteredBy(socket)
  // One that went away while its rights were looked up is in no room.
  if (entered.has(room) || !socket.connected) return
  presence.enter(room, user)
  entered.set(room, () => {
    entered.delete(room)
    presence.leave(room, user)
  })
}
