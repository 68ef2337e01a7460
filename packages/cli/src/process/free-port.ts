// The first port from a given one upwards that nobody listens on.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { usageError } from '../output/cli-error.ts'

const tries = 50

export async function firstFreePort(host: string, from: number): Promise<number> {
  for (let port = from; port < Math.min(from + tries, 65_536); port += 1) {
    if (await isFree(host, port)) return port
  }
  throw usageError(`The ports of ${host} from ${from} on are all taken.`, 'Say --port <port>; 0 takes any.')
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
