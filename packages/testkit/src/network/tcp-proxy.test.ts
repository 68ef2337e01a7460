import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Break, TcpProxy } from './tcp-proxy.ts'

describe('the proxy that breaks connections', () => {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received.push(chunk.toString())
      socket.write(`answer to ${chunk}`)
    })
    socket.on('end', () => received.push('end'))
  })
  let proxy: TcpProxy
  let client: Socket

  beforeEach(async () => {
    received.length = 0
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
    proxy = await TcpProxy.start({ host: '127.0.0.1', port: address.port })
    client = connect({ host: proxy.host, port: proxy.port })
    await once(client, 'connect')
  })
  afterEach(async () => {
    client.destroy()
    await proxy.close()
    server.close()
    await once(server, 'close')
  })

  const send = async (text: string): Promise<string> => {
    client.write(text)
    const [answer] = await once(client, 'data')
    return String(answer)
  }
  const sendBroken = async (how: Break): Promise<void> => {
    const broken = proxy.breakAt('marked', how)
    client.write('a marked request')
    await broken
  }

  it('[S40] a proxy that is not armed passes everything on', async () => {
    expect(await send('hello')).toBe('answer to hello')
    void proxy.breakAt('marked', { kind: 'lose-answer' })
    expect(await send('plain')).toBe('answer to plain')
  })

  it('[S40] cut-request lets the beginning of the request through and closes both sides', async () => {
    const closed = once(client, 'close')
    await sendBroken({ kind: 'cut-request', afterBytes: 8 })
    await closed
    await expect.poll(() => received, { timeout: 10_000 }).toEqual(['a marked', 'end'])
  })

  it('[S40] lose-answer lets the whole request through and never the answer', async () => {
    const answers: string[] = []
    client.on('data', (chunk) => answers.push(String(chunk)))
    const closed = once(client, 'close')
    await sendBroken({ kind: 'lose-answer' })
    await closed
    expect(received[0]).toBe('a marked request')
    expect(answers).toEqual([])
  })

  it('[S40] go-silent keeps the connection open and says nothing on it, while others still get through', async () => {
    await sendBroken({ kind: 'go-silent' })
    const silent = client
    client = connect({ host: proxy.host, port: proxy.port })
    expect(await send('hello')).toBe('answer to hello')
    expect(silent.destroyed).toBe(false)
    expect(silent.bytesRead).toBe(0)
    silent.destroy()
  })
})
