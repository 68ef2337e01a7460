// What ended a server or held it up before it was refused, each as small as it can be.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { RawHttp } from './raw-http.ts'
import { RawSocket } from './raw-socket.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServerProcess(['--data-dir', await makeTempDir('harmful')])
})
afterAll(() => server?.child.kill())

/** The connection is cut, and the process is still there to answer. */
async function cutBy(message: string): Promise<void> {
  const socket = await RawSocket.signIn(server.url, server.admin.token ?? '')
  socket.say(message)
  await socket.closed
  expect(await server.admin.expect(200, 'GET', '/health/live')).toEqual({ status: 'live' })
}

it('[M161] a message with a hundred thousand arguments, which would end the process, cuts its connection', async () => {
  await cutBy(`42["room:join",${Array.from({ length: 100_000 }, () => '1').join(',')}]`)
  await cutBy('42["room:join",{},{},{}]')
})

it('[M160] a message that is nested too deep cuts its connection, by whichever transport it comes', async () => {
  await cutBy(`42["room:join",${'['.repeat(100_000)}${']'.repeat(100_000)}]`)
  const opened = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`)
  const sid = /"sid":"([^"]+)"/.exec(await opened.text())?.[1]
  const address = `${server.url}/socket.io/?EIO=4&transport=polling&sid=${sid}`
  const say = (body: string): Promise<Response> => fetch(address, { method: 'POST', body })
  expect((await say(`40${JSON.stringify({ token: server.admin.token })}`)).status).toBe(200)
  await say(`42["room:join",${'['.repeat(100_000)}`)
  // The close is told to whoever polls; then nobody knows the connection any more.
  for (let status = 200; status === 200; ) status = (await fetch(address)).status
  expect((await say('3')).status).toBe(400)
})

it('[M160] a body that is nested too deep is refused with its limit, as is one with too many members', async () => {
  const send = async (body: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.admin.token}` }
    return (await fetch(`${server.url}/api/rooms`, { method: 'POST', headers, body })).json()
  }
  expect(await send('['.repeat(100_000))).toMatchObject({ code: 'json_too_deep', details: { limit: 1_000 } })
  const members = Array.from({ length: 50_001 }, (_, n) => `"${n}":0`)
  expect(await send(`{${members}}`)).toMatchObject({ code: 'json_too_large', details: { limit: 50_000 } })
})

it.each([
  ['/api/rooms', 1_000_000],
  ['/api/rooms/hall/jobs', 2_100_000],
  ['/api/rooms/hall/extensions/room/analysis/Any/submit', 2_100_000],
  ['/api/rooms/hall/extensions/room/analysis/Any/submit-many', 8_000_000],
  ['/api/workers/register', 8_000_000],
])('[M163] %s takes a body of %i bytes and not one more', async (path, limit) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.admin.token}` }
  const body = `"${'x'.repeat(limit - 2)}"`
  const taken = await fetch(server.url + path, { method: 'POST', headers, body })
  expect(await taken.json()).toMatchObject({ code: 'request_invalid' })
  // Refused by its length, and cut: whoever goes on sending would not get to read why.
  const http = new RawHttp(server.url)
  const fields = Object.entries({ host: 'localhost', ...headers, 'content-length': limit + 1 })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  http.write(`POST ${path} HTTP/1.1\r\n${head}\r\n`)
  const text = await http.closed
  expect(text).toContain('"code":"body_too_large"')
  expect(text).toContain(`"limit":${limit}`)
})

it('[M162] a connection that floods with requests is cut, and one that sends a few at once is answered', async () => {
  const get = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const few = new RawHttp(server.url)
  few.write(get.repeat(10))
  expect(await few.answers(10)).toHaveLength(10)
  few.close()
  const flood = new RawHttp(server.url)
  flood.write(get.repeat(500))
  await flood.closed
  expect(flood.statuses.length).toBeLessThan(500)
})

it('[M162] of a flood nothing is worked on that was read after its connection was cut', async () => {
  const { admin } = server
  const flood = new RawHttp(server.url)
  const post = (n: number): string => {
    const body = JSON.stringify({ name: `flood-${n}` })
    const head = `POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${admin.token}\r\n`
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  flood.write(Array.from({ length: 500 }, (_, n) => post(n)).join(''))
  await flood.closed
  // Answered after all that came before it.
  await admin.expect(201, 'POST', '/api/rooms', { name: 'after-the-flood' })
  const { rooms } = await admin.expect<{ rooms: { name: string }[] }>(200, 'GET', '/api/rooms?limit=100')
  expect(rooms.filter(({ name }) => name.startsWith('flood-')).length).toBeLessThanOrEqual(10)
})

it('[X33] a request that the transport has no answer to is not answered with 500', async () => {
  const reply = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, { method: 'DELETE' })
  expect(reply.status).toBe(404)
})

it('[M164] a question on another connection is answered before a flood of messages is', async () => {
  const token = server.admin.token ?? ''
  await server.admin.expect(201, 'POST', '/api/rooms', { name: 'flooded' })
  const [flood, other] = [
    await RawSocket.signIn(server.url, token),
    await RawSocket.signIn(server.url, token),
  ]
  const ask = (id: number): string => `42${id}["room:join",{"room":"flooded"}]`
  // Whoever is heard first has the lock, however late this process reads of it.
  const lock = (id: number, session: string): string =>
    `42${id}["lock:acquire",{"room":"flooded","target":"first","session":"${session}","ttlMs":60000}]`
  const answers = (socket: RawSocket): readonly string[] => socket.heard.filter((one) => one.startsWith('43'))
  const many = 900
  flood.sayAll([...Array.from({ length: many - 1 }, (_, id) => ask(id)), lock(many - 1, 'flood')])
  other.say(lock(0, 'other'))
  await other.until(() => answers(other).length === 1)
  expect(answers(other)[0]).toContain('"ok":true')
  await flood.until(() => answers(flood).length === many)
  expect(answers(flood).at(-1)).toContain('"code":"locked"')
  const order = flood.heard.flatMap((one) => /^43(\d+)/.exec(one)?.[1] ?? []).map(Number)
  expect(order).toEqual(Array.from({ length: many }, (_, id) => id))
  for (const socket of [flood, other]) socket.close()
})

it('[M164] of many connections of one user that all flood, each is heard in order and none is left over', async () => {
  const token = server.admin.token ?? ''
  await server.admin.expect(201, 'POST', '/api/rooms', { name: 'everywhere' })
  const ask = (id: number): string => `42${id}["room:join",{"room":"everywhere"}]`
  const sockets = await Promise.all(Array.from({ length: 20 }, () => RawSocket.signIn(server.url, token)))
  const many = 100
  for (const socket of sockets) for (let id = 0; id < many; id += 1) socket.say(ask(id))
  const answered = (socket: RawSocket): readonly number[] =>
    socket.heard.flatMap((one) => /^43(\d+)/.exec(one)?.[1] ?? []).map(Number)
  await Promise.all(sockets.map((socket) => socket.until(() => answered(socket).length === many)))
  const inOrder = Array.from({ length: many }, (_, id) => id)
  for (const socket of sockets) expect(answered(socket)).toEqual(inOrder)
  for (const socket of sockets) socket.close()
})

it('[M164] sockets that come all at once are all opened, hear of each other, and are all gone when they go', async () => {
  const token = server.admin.token ?? ''
  await server.admin.expect(201, 'POST', '/api/rooms', { name: 'crowded' })
  const crowd = await Promise.all(Array.from({ length: 200 }, () => RawSocket.signIn(server.url, token)))
  const hears = (socket: RawSocket, sessions: number): Promise<void> => {
    const told = `"people":[{"user":"root","sessions":${sessions}}]`
    return socket.until(() => socket.heard.some((one) => one.includes(told)))
  }
  for (const socket of crowd) socket.say('420["room:join",{"room":"crowded"}]')
  // In whichever slice of the room it stands.
  await Promise.all(crowd.map((socket) => hears(socket, crowd.length)))
  const [watcher, ...rest] = crowd
  for (const socket of rest) socket.close()
  if (watcher) await hears(watcher, 1)
  expect(crowd.map(({ isClosed }) => isClosed).indexOf(false)).toBe(0)
  watcher?.close()
})

it('[M165] more than 500 packets in one body end a connection that polls', async () => {
  const opened = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`)
  const sid = /"sid":"([^"]+)"/.exec(await opened.text())?.[1]
  const address = `${server.url}/socket.io/?EIO=4&transport=polling&sid=${sid}`
  const say = (packets: readonly string[]): Promise<Response> =>
    fetch(address, { method: 'POST', body: packets.join('\u001e') })
  await say([`40${JSON.stringify({ token: server.admin.token })}`])
  let answered = ''
  while (!answered.includes('40{')) answered += await (await fetch(address)).text()
  const ask = (id: number): string => `42${id}["room:join",{"room":"flooded"}]`
  await say(Array.from({ length: 500 }, (_, id) => ask(id)))
  while (!answered.includes('43499[')) answered += await (await fetch(address)).text()
  await say(Array.from({ length: 501 }, (_, id) => ask(1_000 + id)))
  for (let status = 200; status === 200; ) {
    const reply = await fetch(address)
    status = reply.status
    answered += await reply.text()
  }
  expect(answered).not.toContain('431000[')
})

it('[M166] who was cut for what they sent comes in after others who came later', async () => {
  const password = 'a password for tests'
  await server.admin.expect(201, 'POST', '/api/users', { user: 'patient', password, role: 'user' })
  const signedIn = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'patient', password }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const broken = await RawSocket.signIn(server.url, server.admin.token ?? '')
  // Both are there before, so that who comes later comes a moment later, on a machine that is slow as well.
  const [rude, patient] = [await RawSocket.open(server.url), await RawSocket.open(server.url)]
  broken.say('42["room:join",')
  await broken.closed
  const order: string[] = []
  await Promise.all([
    rude.enter(server.admin.token ?? '').then(() => order.push('rude')),
    patient.enter(token).then(() => order.push('patient')),
  ])
  expect(order).toEqual(['patient', 'rude'])
  for (const socket of [rude, patient]) {
    expect(socket.isClosed).toBe(false)
    socket.close()
  }
})

it('[M166] a connection that asks for namespaces again and again is cut', async () => {
  const socket = await RawSocket.signIn(server.url, server.admin.token ?? '')
  for (let n = 0; n < 30; n += 1) socket.say(`40/nowhere-${n},{}`)
  await socket.closed
  expect(socket.heard.filter((one) => one.startsWith('44/nowhere'))).toHaveLength(20)
})

it('[M166] a connection that goes on talking when its end is decided is ended without waiting for its word', async () => {
  const socket = await RawSocket.signIn(server.url, server.admin.token ?? '')
  socket.isPolite = false
  for (const message of ['42["room:join",', ...Array.from({ length: 2_000 }, () => '3')]) socket.say(message)
  await socket.closed
})
