// HTTP as bytes: slow, broken, doubled, endless.

import type { HostileCase, HostileScene } from './hostile-scene.ts'
import { RawHttp } from './raw-http.ts'

const host = 'Host: localhost\r\n'
const times = <Value>(count: number, value: (n: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, n) => value(n))

function broken(authorization: string): readonly (string | Buffer)[] {
  const post = (headers: string, body: string): string =>
    `POST /api/rooms/mallory-room/jobs HTTP/1.1\r\n${host}${authorization}Content-Type: application/json\r\n${headers}\r\n${body}`
  const get = (path: string, headers = ''): string =>
    `GET ${path} HTTP/1.1\r\n${host}${authorization}${headers}\r\n`
  return [
    post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
    post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffff\r\n{}'),
    post('Transfer-Encoding: chunked\r\n', '-1\r\n{}\r\n0\r\n\r\n'),
    post('Transfer-Encoding: chunked\r\n', `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    post('Transfer-Encoding: chunked\r\nContent-Length: 2\r\n', '{}'),
    post('Transfer-Encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
    post('Content-Length: 2\r\nContent-Length: 3\r\n', '{} '),
    post('Content-Length: -2\r\n', '{}'),
    post('Content-Length: 99999999999999999999\r\n', '{}'),
    post('Content-Length: 2\r\nContent-Encoding: gzip\r\n', '{}'),
    post('Content-Length: 2\r\nExpect: something\r\n', '{}'),
    get('/api/rooms', 'Authorization: Bearer other\r\n'),
    get('/api/rooms', 'Host: other\r\n'),
    get('/api/rooms', `X: ${'x'.repeat(100_000)}\r\n`),
    get('/api/rooms', times(3_000, (n) => `X-${n}: 1\r\n`).join('')),
    get(`/api/rooms/${'x'.repeat(100_000)}`),
    get(`/api/rooms/${'x'.repeat(9_000)}`),
    get(`/api/jobs?${'a=1&'.repeat(3_000)}`),
    get('/api/rooms/%'),
    get('/api/rooms/%zz'),
    get('/api/rooms/%E0%A4%A'),
    get('/api/rooms/%00'),
    get('/api/rooms/%c0%ae%c0%ae/%2e%2e/users'),
    get('/api/rooms/a\u0000b'),
    get('http://elsewhere/api/rooms'),
    get('//elsewhere/api/rooms'),
    get('*'),
    `GET /api/rooms HTTP/1.1\r\n\r\n`,
    `GET /api/rooms HTTP/9.9\r\n${host}\r\n`,
    `GET /api/rooms\r\n`,
    `CONNECT localhost:1 HTTP/1.1\r\n${host}\r\n`,
    `${'A'.repeat(70_000)} / HTTP/1.1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}X\u0000: 1\r\n\r\n`,
    `GET / HTTP/1.1\r\n folded: 1\r\n\r\n`,
    `GET / HTTP/1.1\n${host.trim()}\n\n`,
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01]),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `GET /api/rooms HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  ]
}

/** What the server goes on waiting for it cuts after a while. */
async function sendBroken(scene: HostileScene): Promise<void> {
  const requests = broken(`Authorization: Bearer ${scene.token}\r\n`)
  await Promise.all(
    requests.map(async (bytes) => {
      const http = new RawHttp(scene.url)
      http.write(bytes)
      for (const status of await http.answers(1)) scene.note(String(bytes).slice(0, 80), status, http.text)
      http.close()
    }),
  )
}

/** A header or a byte of a body now and then, on many connections, until the server has cut the last of them. */
async function crawl(scene: HostileScene): Promise<void> {
  const start = `POST /api/rooms HTTP/1.1\r\n${host}Authorization: Bearer ${scene.token}\r\n`
  const inHead = times(150, () => new RawHttp(scene.url))
  const inBody = times(150, () => new RawHttp(scene.url))
  const all = [...inHead, ...inBody]
  for (const http of inHead) http.write(start)
  for (const http of inBody)
    http.write(`${start}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`)
  while (all.some(({ isClosed }) => !isClosed)) {
    await scene.canary.next(3)
    for (const http of inHead) http.write('X: 1\r\n')
    for (const http of inBody) http.write(' ')
  }
  for (const http of all) for (const status of http.statuses) noteSlow(scene, status, http.text)
}

function noteSlow(scene: HostileScene, status: number, text: string): void {
  scene.note('a slow request', status, text)
  if (status !== 408) scene.outrages.push(`a request that never ended was answered: ${status} ${text}`)
}

/** Requests on connections that do not wait for answers; the server cuts them. */
async function pipeline(scene: HostileScene): Promise<void> {
  const get = `GET /api/rooms HTTP/1.1\r\n${host}Authorization: Bearer ${scene.token}\r\n\r\n`
  const floods = times(4, () => new RawHttp(scene.url))
  for (const http of floods) http.write(get.repeat(500))
  for (const http of floods) {
    for (const status of await http.answers(500)) scene.note('a pipelined request', status, '')
    if (!http.isClosed) scene.outrages.push('a flood of requests was answered to its end and not cut')
    http.close()
  }
}

export const httpAttacks: readonly HostileCase[] = [
  {
    name: 'broken_requests',
    title: '[X34] requests that are none, or half, or two in one, are refused or cut',
    attack: sendBroken,
  },
  {
    name: 'slow_requests',
    title: '[X34] three hundred requests that come byte by byte are cut and hold nobody else up',
    attack: crawl,
  },
  {
    name: 'pipelined_requests',
    title: '[X34] requests that do not wait for answers are cut and hold nobody else up',
    attack: pipeline,
  },
]
