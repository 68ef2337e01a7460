// That a private room does not exist for strangers: what is asked about it is answered like what is asked about nothing,
// and nothing else that they can ask or hear tells of it.

import { type Route, routes, serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../server/api-client.ts'
import { heard as heardEvent } from '../server/api-client.ts'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { AccessScene, rooms } from './access-scene.ts'
import { type EventName, eventMessages, tell } from './event-messages.ts'
import { addressOf, type RouteName, routeRequests } from './route-requests.ts'
import { SecretRoom } from './secret-room.ts'
import { viewOf, writeDown } from './stranger-view.ts'
import { strangers } from './who.ts'

/** As long as the private room's name, or lengths would differ. */
const absent = 'empty'

interface Stage {
  readonly scene: AccessScene
  /** Moves the clock. It stands still otherwise: nobody grows old or stale while two answers are compared. */
  readonly tick: () => void
}

export function describeHiddenRoom(storeName: string, openStore: OpenStore): void {
  describe(`a private room and strangers, on ${storeName}`, () => {
    let opened: OpenedStore
    let stage: Stage
    beforeAll(async () => {
      let now = Date.now()
      opened = await openStore({ now: () => now })
      const scene = await AccessScene.open(opened.store)
      stage = {
        scene,
        tick: () => {
          now += 1
        },
      }
    })
    afterAll(async () => {
      await stage?.scene.close()
      await opened?.close()
    })

    answersAsIfAbsent(() => stage.scene)

    it('[A3] nothing a stranger can ask or hear mentions a private room or changes with it', () =>
      staysUnseen(stage))
  })
}

function answersAsIfAbsent(scene: () => AccessScene): void {
  it.each(strangers)('[A2] every route answers %s as if the room did not exist', async (who) => {
    const compared: string[] = []
    for (const name of Object.keys(routes) as RouteName[]) {
      const { method, path }: Route = routes[name]
      const asked = await routeRequests[name](scene(), 'private', who)
      if (!JSON.stringify([asked.params, asked.body]).includes(rooms.private)) continue
      const client = scene().as(who, 'private')
      const about = async (room: string) => {
        const { params, body } = renamed({ params: asked.params, body: asked.body }, room)
        const answer = await client.call(method, addressOf(path, params), body)
        return renamed([answer.status, answer.body], rooms.private)
      }
      expect({ name, answer: await about(absent) }).toEqual({ name, answer: await about(rooms.private) })
      compared.push(name)
    }
    expect(compared.length).toBeGreaterThan(20)
  })

  it.each(strangers)('[A2] every event answers %s as if the room did not exist', async (who) => {
    const socket = await scene().as(who, 'private').socket()
    for (const name of Object.keys(serverEvents) as EventName[]) {
      const payload = await eventMessages[name](scene(), 'private', socket)
      const { event } = serverEvents[name]
      const about = async (room: string) =>
        renamed(await tell(socket, event, renamed(payload, room)), rooms.private)
      expect({ event, answer: await about(absent) }).toEqual({ event, answer: await about(rooms.private) })
    }
    socket.close()
  })
}

async function staysUnseen({ scene, tick }: Stage): Promise<void> {
  const { server } = scene
  const secret = await SecretRoom.make(scene)
  const view = (client: ApiClient) => viewOf(client, rooms.open, secret.openJob, secret.sharedWorker)
  const clients = [scene.as('guest'), scene.as('user'), scene.as('elsewhere')]
  // What waits is believed until the next look at the store, which may find less than the routes before have left behind.
  await expect.poll(() => believedTooMuch(scene.as('user'))).toBe(0)
  const before = await Promise.all(clients.map(view))
  const told: string[] = []
  const sockets = await Promise.all(clients.map((client) => client.socket()))
  for (const socket of sockets) {
    writeDown(socket, told)
    expect(await tell(socket, 'system:join', {})).toMatchObject({ ok: true })
    expect(await tell(socket, 'room:join', { room: rooms.open })).toMatchObject({ ok: true })
  }

  await secret.live()
  const after = await Promise.all(clients.map(view))
  expect(after).toEqual(before)

  for (let bulk = 0; bulk < 6; bulk++) {
    tick()
    await secret.fill(1_000)
  }
  const beyond = await Promise.all(clients.slice(0, 1).map(view))
  const last = heardEvent(sockets[0] as Socket, 'room:changed')
  await scene.as('owner').expect(200, 'PATCH', `/api/rooms/${rooms.open}`, { weight: 2 })
  await last

  const metrics = await server.nobody().call<string>('GET', '/metrics')
  const texts = [...after, ...beyond].flatMap((one) => Object.values(one))
  const mentions = [...texts, ...told, metrics.body].flatMap((text) => secret.mentionedIn(text))
  expect(mentions).toEqual([])
  expect(told.length).toBeGreaterThan(0)
  expect(server.faults).toEqual([])
}

/** The jobs that are said to wait and do not, as somebody sees them who may see one room. */
async function believedTooMuch(client: ApiClient): Promise<number> {
  const overview = await client.expect<{ pending: number }>(200, 'GET', '/api/overview')
  const waiting = await client.expect<{ jobs: unknown[] }>(200, 'GET', '/api/jobs?status=pending&limit=500')
  return overview.pending - waiting.jobs.length
}

function renamed<Value>(value: Value, room: string): Value {
  const text = JSON.stringify(value)
  return JSON.parse(text.replaceAll(rooms.private, room).replaceAll(absent, room)) as Value
}
