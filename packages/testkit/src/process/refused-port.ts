// A port of the loopback interface that refuses every connection for as long as it is held: it is this end of a connection,
// so that nobody else can listen there. A free port is somebody's as soon as the next server of another test asks for one.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RefusedPort {
  readonly port: number
  letGo(): void
}

export async function holdRefusedPort(): Promise<RefusedPort> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [
    [Socket],
    unknown,
  ]
  const { localPort } = near
  if (localPort === undefined) throw new Error('a connection has a port')
  return {
    port: localPort,
    letGo: () => {
      for (const end of [near, far]) end.destroy()
      server.close()
    },
  }
}
