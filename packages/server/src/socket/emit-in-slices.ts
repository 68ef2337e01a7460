// Tells a whole room, a slice of it in each turn of the event loop: every socket is a call of the system, and thousands of
// them would stand before everything else. Only for what need not stand in line with other events.

import type { Server, Socket } from 'socket.io'

const sliceSize = 50

export function emitInSlices(
  io: Server,
  channel: string,
  event: string,
  payload: unknown,
  may: (socket: Socket) => boolean = () => true,
): void {
  const sockets = [...(io.sockets.adapter.rooms.get(channel) ?? [])].filter((id) => {
    const socket = io.sockets.sockets.get(id)
    return socket !== undefined && may(socket)
  })
  const tell = (from: number): void => {
    const slice = sockets.slice(from, from + sliceSize)
    if (slice.length === 0) return
    io.to(slice).emit(event, payload)
    setImmediate(tell, from + sliceSize)
  }
  tell(0)
}
