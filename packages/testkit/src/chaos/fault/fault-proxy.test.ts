import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdRefusedPort, type RefusedPort } from '../../process/refused-port.ts'
import { FaultProxy } from './fault-proxy.ts'

let server: Server
let served: Socket[]
let nobody: RefusedPort
let proxy: FaultProxy

beforeEach(async () => {
  served = []
  server = createServer((socket) => {
    served.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => socket.write(`echo ${data}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  nobody = await holdRefusedPort()
  proxy = await FaultProxy.start([nobody.port, portOf(server)])
  // The first port is nobody's: whoever connects is cut off once and then led to the second.
  await once(open(), 'close')
})
afterEach(async () => {
  await proxy.close()
  nobody.letGo()
  server.close()
})

function portOf(listener: Server): number {
  return (listener.address() as { port: number }).port
}

function open(): Socket {
  const socket = connect({ host: '127.0.0.1', port: proxy.port })
  socket.on('error', () => undefined)
  return socket
}

async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [data] = (await once(socket, 'data')) as [Buffer]
  return data.toString()
}

describe('a proxy for faults', () => {
  it('[X13] leads to the next server when nobody answers at the one before', async () => {
    expect(await ask(open(), 'a')).toBe('echo a')
  })

  it('[X13] cuts what is connected and lets new connections through', async () => {
    const client = open()
    await ask(client, 'a')
    const closed = once(client, 'close')
    proxy.cut()
    await closed
    expect(await ask(open(), 'b')).toBe('echo b')
  })

  it('[X13] holds back one direction with the connection open, and delivers in order once it heals', async () => {
    const client = open()
    await ask(client, 'a')
    proxy.silence(['to-client'])
    const arrived = once(served.at(-1)!, 'data')
    client.write('b')
    await arrived
    served.at(-1)!.end()
    expect(client.readableLength).toBe(0)
    expect(client.readyState).toBe('open')
    const data = once(client, 'data')
    const closed = once(client, 'close')
    proxy.heal()
    expect(String((await data)[0])).toBe('echo b')
    await closed
  })

  it('[X13] lets go of one end without telling the other before it heals', async () => {
    const client = open()
    await ask(client, 'a')
    const gone = once(served.at(-1)!, 'close')
    proxy.abandon('server')
    await gone
    expect(client.readyState).toBe('open')
    const closed = once(client, 'close')
    proxy.heal()
    await closed
  })

  it('[X13] is slow, and what a cut meets on its way is lost', async () => {
    const client = open()
    await ask(client, 'a')
    proxy.slow(60_000)
    let arrived = 0
    served.at(-1)!.on('data', () => {
      arrived += 1
    })
    const gone = once(served.at(-1)!, 'close')
    await new Promise<void>((written) => client.write('b', () => written()))
    proxy.cut()
    await gone
    expect(arrived).toBe(0)
  })
})
