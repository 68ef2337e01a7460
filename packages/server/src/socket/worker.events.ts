// A worker says which extensions it serves; from then on its socket is the channel of its jobs.

import type { WorkerId } from '@millrace/domain'
import { serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io'
import { refusedHere } from '../refusal/problem-of.ts'
import type { ServerParts } from '../server-parts.ts'
import { arrivalOf, arrivedView } from '../worker/arrival-view.ts'
import { unregister, workerAway, workerBack, workerLeft } from '../worker/lose-worker.ts'
import { registerWorker } from '../worker/register-worker.ts'
import { addEvent, type EventDoor } from './event-handler.ts'
import { PushChannel } from './push-channel.ts'

interface Station {
  readonly worker: WorkerId
  readonly channel: PushChannel
}

export function workerEvents(parts: ServerParts, door: EventDoor): (socket: Socket) => void {
  const stations = new WeakMap<Socket, Station>()
  const adders = [
    addEvent(door, serverEvents.extensionRegister, async ({ payload, who, socket }) => {
      const before = stations.get(socket)
      if (before && before.worker !== payload.worker.id)
        return refusedHere(
          'worker_kind_fixed',
          'A connection belongs to one worker; open another for another.',
        )
      const channel = before?.channel ?? new PushChannel(socket, payload.worker.ahead ?? 0)
      const arrived = await registerWorker(parts, who, arrivalOf(payload, channel, 'push'))
      if ('refused' in arrived) return arrived
      stations.set(socket, { worker: arrived.worker, channel })
      // The end of its former connection may have been written after it was registered, and before it stood on this one.
      await workerBack(parts, arrived.worker)
      // It may have gone while it was being registered; then nobody else will say so.
      if (!socket.connected) await workerAway(parts, arrived.worker, channel)
      return arrivedView(arrived)
    }),
    addEvent(door, serverEvents.extensionUnregister, async ({ payload, socket }) => {
      const station = stations.get(socket)
      if (!station) return refusedHere('worker_lost', 'This connection has registered no worker.')
      const { extension } = payload
      await unregister(
        parts,
        station.worker,
        (served) => extension === undefined || isNamed(served, extension),
      )
      return {}
    }),
  ]
  return (socket) => {
    for (const add of adders) add(socket)
    socket.on('disconnect', (reason) => {
      const station = stations.get(socket)
      if (!station) return
      const gone = reason === 'client namespace disconnect' ? workerLeft : workerAway
      gone(parts, station.worker, station.channel).catch((fault) => door.onFault(fault, 'disconnect'))
    })
  }
}

interface ExtensionName {
  readonly room?: string
  readonly scope?: string
  readonly category: string
  readonly name: string
}

function isNamed(
  served: { room: string | null; scope: string; category: string; name: string },
  one: ExtensionName,
): boolean {
  const { room = null, scope = room === null ? 'global' : 'room', category, name } = one
  return (
    served.room === room && served.scope === scope && served.category === category && served.name === name
  )
}
