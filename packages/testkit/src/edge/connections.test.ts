// How many connections there may be, and which are cut: those that never finish what they began, and those that do not
// read.

import { connect, type Socket as Line } from 'node:net'
import { createLoginCode } from '@millrace/server'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from '../server/api-client.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import type { RoomEar } from '../server-flow/room-ear.ts'
import type { OpenedStore } from '../store-contract/contract-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { type Place, startPlace } from './start-place.ts'

let opened: OpenedStore
let place: Place
const sockets: Socket[] = []
beforeEach(async () => {
  opened = await sqliteOpener({})
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  await place?.running.close()
  await opened.close()
})

async function start(...args: readonly string[]): Promise<void> {
  place = await startPlace(opened.store, args)
}

async function token(user = 'root'): Promise<string> {
  const code = await createLoginCode(place.running.parts, user, 'admin', 60)
  if ('refused' in code) throw new Error(code.message)
  const body = { code: code.code }
  return (
    await new ApiClient(place.url, null).expect<{ token: string }>(200, 'POST', '/api/auth/login', body)
  ).token
}

/** Connected, or the code it was refused with. */
function open(credential: string, from = '192.0.2.1'): Promise<Socket | string> {
  const socket = io(place.url, {
    auth: { token: credential },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: { 'x-forwarded-for': from },
  })
  sockets.push(socket)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', (fault) => {
      const { data } = fault as Error & { data?: { code: string } }
      resolve(data?.code ?? fault.message)
    })
  })
}

/** A job that runs, with two ears that joined it. */
async function heardJob() {
  const scene = new FlowScene(place.url, await token())
  const room = await scene.newRoom()
  const worker = await scene.worker([{ room }])
  const id = await scene.submit(room)
  const job = await worker.assigned.next()
  await worker.started(job)
  const listen = () => scene.ear(room, scene.admin, id)
  return { scene, worker, id, job, ears: [await listen(), await listen()] as const }
}

const isOpen = (one: Socket | string): boolean => typeof one !== 'string'

describe('how many connections there may be', () => {
  it('[A18] in all: before the limit comes a warning, at it a refusal, and after one has gone there is room', async () => {
    await start(
      '--max-connections',
      '10',
      '--max-connections-per-address',
      '10',
      '--max-connections-per-credential',
      '10',
    )
    const credential = await token()
    const all = []
    for (let count = 0; count < 7; count += 1) all.push(await open(credential))
    expect(place.warnings).toEqual([])
    for (let count = 7; count < 10; count += 1) all.push(await open(credential))
    expect(place.warnings).toEqual(['8 of at most 10 connections are open'])
    expect(all.every(isOpen)).toBe(true)
    expect(isOpen(await open(credential))).toBe(false)
    const polled = await fetch(`${place.url}/socket.io/?EIO=4&transport=polling`)
    expect([polled.status, await polled.json()]).toMatchObject([503, { code: 'connections_full' }])
    const figures = await new ApiClient(place.url, null).call<string>('GET', '/metrics')
    expect(figures.body).toMatch(/^millrace_connections 10$/m)
    expect(figures.body).toMatch(/^millrace_connections_max 10$/m)
    ;(all[0] as Socket).close()
    await expect.poll(async () => isOpen(await open(credential)), { timeout: 10_000 }).toBe(true)
  })

  it('[A18] for each address, as a trusted proxy names it', async () => {
    await start('--max-connections-per-address', '2', '--trust-proxy', 'loopback')
    const credential = await token()
    for (let count = 0; count < 2; count += 1) expect(isOpen(await open(credential))).toBe(true)
    expect(isOpen(await open(credential))).toBe(false)
    expect(isOpen(await open(credential, '192.0.2.2'))).toBe(true)
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const polled = await fetch(`${place.url}/socket.io/?EIO=4&transport=polling`, { headers })
    expect([polled.status, await polled.json()]).toMatchObject([429, { code: 'connections_yours_full' }])
  })

  it('[A18] for each credential, and what was refused or has gone is not counted', async () => {
    await start('--max-connections-per-credential', '2')
    const [mine, theirs] = [await token(), await token('other')]
    const first = (await open(mine)) as Socket
    expect(isOpen(await open(mine))).toBe(true)
    for (let count = 0; count < 3; count += 1) expect(await open(mine)).toBe('connections_yours_full')
    expect(isOpen(await open(theirs))).toBe(true)
    first.close()
    await expect.poll(async () => isOpen(await open(mine)), { timeout: 10_000 }).toBe(true)
    expect(await open(mine)).toBe('connections_yours_full')
  })
})

describe('which connections are cut', () => {
  it.each([
    ['the head', 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    [
      'the body',
      'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"us',
    ],
  ])('[A19] one that does not finish %s of its request', async (_part, said) => {
    await start('--header-timeout-ms', '200', '--request-timeout-ms', '400')
    const heard = await untilClosed(connect(place.port, '127.0.0.1'), said)
    expect(heard).toMatch(/^HTTP\/1\.1 408 /)
    expect(heard).toContain('"code":"request_too_slow"')
  })

  it.each([
    ['says nothing', ''],
    ['names no credential', '40'],
    ['names a wrong one', '40{"token":"wrong"}'],
  ])('[A19] a socket that %s', async (_what, said) => {
    await start('--header-timeout-ms', '200')
    const socket = new WebSocket(`ws://127.0.0.1:${place.port}/socket.io/?EIO=4&transport=websocket`)
    const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
    socket.addEventListener(
      'message',
      () => {
        if (said !== '') socket.send(said)
      },
      { once: true },
    )
    await closed
    await expect.poll(() => figure('millrace_connections'), { timeout: 10_000 }).toBe(0)
  })

  it('[A19] a socket that does not read what its room is told, and none that does', async () => {
    await start('--send-buffer-max-bytes', '100000', '--registrations-per-minute', '100')
    const {
      scene,
      worker,
      id,
      job,
      ears: [deaf, ear],
    } = await heardJob()
    lineOf(deaf.socket).pause()
    const line = 'x'.repeat(10_000)
    const cut = place.warned('a connection was cut that did not read')
    let isCut = false
    void cut.then(() => {
      isCut = true
    })
    while (!isCut) await worker.log(job, ...Array<string>(20).fill(line))
    expect(await cut).toMatch(/\d+ bytes waited/)
    lineOf(deaf.socket).resume()
    await deaf.cut()
    expect(ear.socket.connected).toBe(true)
    await worker.completed(job)
    await ear.reached(id, 'completed')
    await scene.close()
  })

  it('[M206] not one that is behind with progress: it is told the latest, when it reads again or before the next state', async () => {
    await start('--send-buffer-max-bytes', '100000000', '--registrations-per-minute', '100')
    const {
      scene,
      worker,
      id,
      job,
      ears: [early, late],
    } = await heardJob()
    for (const ear of [early, late]) lineOf(ear.socket).pause()
    // More than the system itself takes for a line that nobody reads.
    const lines = Array<string>(100).fill('x'.repeat(10_000))
    for (let sent = 0; sent < 12; sent += 1) await worker.log(job, ...lines)
    for (let n = 1; n < 100; n += 1) await worker.progress(job, n / 100, `step ${n}`)

    lineOf(early.socket).resume()
    await early.heard.until(() => stepsOf(early).length > 0)
    expect(stepsOf(early)).toEqual(['step 99'])

    await worker.completed(job)
    lineOf(late.socket).resume()
    await late.reached(id, 'completed')
    expect(stepsOf(late)).toEqual(['step 99'])
    expect(place.warnings).toEqual([])
    await scene.close()
  })
})

/** The messages of the progress that was heard. */
function stepsOf({ heard }: RoomEar): readonly string[] {
  const told = heard.all.filter(({ event }) => event === 'job:progress')
  return told.flatMap(({ payload }) =>
    (payload as { jobs: { message: string }[] }).jobs.map(({ message }) => message),
  )
}

async function figure(name: string): Promise<number> {
  const { body } = await new ApiClient(place.url, null).call<string>('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1])
}

function untilClosed(line: Line, said: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    line.setEncoding('utf8').on('data', (part: string) => {
      heard += part
    })
    line.once('connect', () => line.write(said))
    line.on('error', () => undefined)
    line.once('close', () => resolve(heard))
  })
}

/** The TCP connection under a socket. */
function lineOf(socket: Socket): Line {
  const { ws } = socket.io.engine.transport as unknown as { ws: { _socket: Line } }
  return ws._socket
}
