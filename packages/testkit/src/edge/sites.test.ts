// Under which names a server answers and whose pages may ask it, over real HTTP and on the upgrade of a socket.

import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import type { RunningServer } from '@millrace/server'
import { io } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore } from '../store-contract/contract-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { type Place, startPlace } from './start-place.ts'

let opened: OpenedStore
const running: RunningServer[] = []
beforeAll(async () => {
  opened = await sqliteOpener({})
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})
afterAll(() => opened?.close())

async function start(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Place> {
  const place = await startPlace(opened.store, args, env)
  running.push(place.running)
  return place
}

interface Heard {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly code: string | null
  readonly detail: string
}

/** One request as it is given; `fetch` would not send another Host. An upgrade that is accepted has status 101. */
function ask({ port }: Place, path: string, headers: Record<string, string>, method = 'GET'): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
    asked.on('upgrade', (reply, socket) => {
      socket.destroy()
      resolve({ status: 101, headers: reply.headers, code: null, detail: '' })
    })
    asked.on('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      reply.on('end', () => {
        const isProblem = reply.headers['content-type']?.includes('problem') === true
        const problem = isProblem ? (JSON.parse(text) as Pick<Heard, 'code' | 'detail'>) : null
        const { code = null, detail = '' } = problem ?? {}
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, code, detail })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

function upgrade(place: Place, headers: Record<string, string>): Promise<Heard> {
  return ask(place, '/socket.io/?EIO=4&transport=websocket', {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  })
}

const polling = '/socket.io/?EIO=4&transport=polling'

describe('the names a server answers to', () => {
  it.each([
    'localhost',
    'LOCALHOST:99',
    'lab.localhost',
    '127.0.0.1',
    '127.9.8.7:7717',
    '[::1]:7717',
    'localhost.',
  ])('[A20] on a loopback address %s is one', async (host) => {
    const place = await start()
    expect(await ask(place, '/health/live', { host })).toMatchObject({ status: 200 })
    expect(await upgrade(place, { host })).toMatchObject({ status: 101 })
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5:7717',
    'evillocalhost',
  ])('[A20] on a loopback address %j is none, on any route and for any socket', async (host) => {
    const place = await start()
    for (const path of ['/health/live', '/api/rooms', '/docs', '/nothing', polling]) {
      const heard = await ask(place, path, { host })
      expect(heard).toMatchObject({ status: 421, code: 'host_unknown' })
      expect(heard.detail).toContain('--public-url')
    }
    expect(await upgrade(place, { host })).toMatchObject({ status: 421, code: 'host_unknown' })
  })

  it('[A20] the host of the public address is one, and elsewhere than on loopback every name is', async () => {
    const proxied = await start(['--public-url', 'https://mill.example'])
    expect(await ask(proxied, '/health/live', { host: 'mill.example' })).toMatchObject({ status: 200 })
    expect(await ask(proxied, '/health/live', { host: 'evil.example' })).toMatchObject({ status: 421 })
    const open = await start(['--host', '0.0.0.0'])
    expect(await ask(open, '/health/live', { host: 'whatever.example' })).toMatchObject({ status: 200 })
    expect(await upgrade(open, { host: 'whatever.example' })).toMatchObject({ status: 101 })
  })
})

describe('the origins that may ask', () => {
  const elsewhere = { origin: 'https://elsewhere.example' }

  it('[A21] a page elsewhere changes nothing and opens no socket, while reads without a credential show it nothing', async () => {
    const place = await start()
    for (const origin of ['https://elsewhere.example', 'null', 'http://127.0.0.1:1', 'file://', 'nonsense']) {
      const refused = { status: 403, code: 'origin_forbidden' }
      expect(await ask(place, '/api/auth/guest', { origin }, 'POST')).toMatchObject(refused)
      expect(await ask(place, '/api/rooms/lab', { origin }, 'DELETE')).toMatchObject(refused)
      expect(await upgrade(place, { origin })).toMatchObject(refused)
      expect(await ask(place, polling, { origin })).toMatchObject(refused)
      const read = await ask(place, '/health/live', { origin })
      expect(read.status).toBe(200)
      expect(read.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('[A21] its own pages, those of its public address, and programs without an origin do', async () => {
    const place = await start(['--public-url', 'https://mill.example'])
    const own = { host: `localhost:${place.port}`, origin: `http://localhost:${place.port}` }
    for (const headers of [own, {}, { origin: 'https://mill.example' }]) {
      expect(await ask(place, '/api/auth/guest', headers, 'POST')).toMatchObject({ status: 200 })
      expect(await upgrade(place, headers)).toMatchObject({ status: 101 })
    }
    const behindTls = { host: 'mill.example', origin: 'https://mill.example' }
    expect(await ask(place, '/api/auth/guest', behindTls, 'POST')).toMatchObject({ status: 200 })
  })

  it('[A21] an origin that the configuration names is admitted, without cookies, and no other', async () => {
    const place = await start(['--cors-origins', 'https://lab.example,http://localhost:5173'])
    const named = { origin: 'https://lab.example' }
    const preflight = await ask(
      place,
      '/api/rooms',
      { ...named, 'access-control-request-method': 'POST' },
      'OPTIONS',
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://lab.example',
      'access-control-allow-headers': 'authorization, content-type',
      vary: 'Origin',
    })
    for (const heard of [
      preflight,
      await ask(place, '/api/auth/guest', named, 'POST'),
      await ask(place, polling, named),
    ]) {
      expect(heard.status).toBeLessThan(300)
      expect(heard.headers['access-control-allow-origin']).toBe('https://lab.example')
      expect(heard.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(heard.headers).not.toHaveProperty('set-cookie')
    }
    expect(await upgrade(place, named)).toMatchObject({ status: 101 })
    const other = await ask(
      place,
      '/api/rooms',
      { ...elsewhere, 'access-control-request-method': 'POST' },
      'OPTIONS',
    )
    expect(other.status).toBe(404)
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
    expect(await upgrade(place, elsewhere)).toMatchObject({ status: 403 })
  })

  it('[A21] a client of the library is told the problem when its page is elsewhere', async () => {
    const { url } = await start()
    const socket = io(url, {
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: elsewhere,
      forceNew: true,
    })
    await expect(new Promise((_, reject) => socket.once('connect_error', reject))).rejects.toThrow()
    socket.close()
  })
})

describe('what stands around every answer', () => {
  it('[A22] framing, sniffing and referrers are forbidden, and nothing is loaded but by a page', async () => {
    const place = await start()
    for (const path of [
      '/health/live',
      '/api/rooms',
      '/nothing',
      '/metrics',
      '/openapi.json',
      '/docs/static/index.html',
    ]) {
      const { headers } = await ask(place, path, {})
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
      const policy = headers['content-security-policy']
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain(path.startsWith('/docs') ? "default-src 'self'" : "default-src 'none'")
      expect(policy).not.toContain('unsafe-eval')
    }
  })

  it('[A23] figures and documentation do not exist off loopback unless they are switched on', async () => {
    const open = await start(['--host', '0.0.0.0'])
    for (const path of ['/metrics', '/docs', '/docs/json', '/docs/static/index.html', '/openapi.json'])
      expect(await ask(open, path, {})).toMatchObject({ status: 404, code: 'route_not_found' })
    const asked = await start(['--host', '0.0.0.0', '--metrics', '--docs'])
    for (const path of ['/metrics', '/openapi.json']) expect((await ask(asked, path, {})).status).toBe(200)
    const local = await start()
    for (const path of ['/metrics', '/openapi.json']) expect((await ask(local, path, {})).status).toBe(200)
  })

  it('[A23] figures with a credential of their own are served anywhere, to whoever has it', async () => {
    const token = 'figures-0123456789abcdef'
    const place = await start(['--host', '0.0.0.0'], { MILLRACE_METRICS_TOKEN: token })
    expect(await ask(place, '/metrics', {})).toMatchObject({ status: 401, code: 'credential_missing' })
    for (const authorization of [`Bearer ${token}x`, 'Bearer ', `Basic ${token}`, token])
      expect(await ask(place, '/metrics', { authorization })).toMatchObject({
        status: 401,
        code: 'credential_invalid',
      })
    expect(await ask(place, '/metrics', { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 })
    expect(await ask(place, '/api/rooms', { authorization: `Bearer ${token}` })).toMatchObject({
      status: 401,
    })
    expect((await ask(place, '/docs', {})).status).toBe(404)
  })
})
