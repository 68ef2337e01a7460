// A port of the loopback interface that nobody listens on. It may be taken before it is used: callers try again.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below what systems give to outgoing connections: one that is let go of, as by a server that is killed and started again,
 * would otherwise be somebody's by then. A cluster of Redis takes that port plus 10,000 too.
 */
const [lowest, beyond] = [10_000, 22_000]

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, beyond)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.listen(port, '127.0.0.1')
  if (!(await listening)) return false
  server.close()
  await once(server, 'close')
  return true
}
