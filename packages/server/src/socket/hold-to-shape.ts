// A message is an event, what it says, and perhaps whom to answer. One with more is not from any client of ours, and one
// with a hundred thousand would end the process: the library hands them on as so many arguments of one call.

import type { Socket } from 'socket.io'

const maxParts = 3

export function holdToShape(socket: Socket, cut: () => void): void {
  socket.use((message, next) => {
    if (message.length > maxParts) cut()
    else next()
  })
}
