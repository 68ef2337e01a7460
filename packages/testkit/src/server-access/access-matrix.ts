// Asks for every route and every event as everybody, in an open and in a private room, and compares with the tables.

import { refusalCatalogue } from '@millrace/domain'
import { type Route, routes, serverEvents } from '@millrace/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../server/api-client.ts'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { AccessScene } from './access-scene.ts'
import type { Door } from './door.ts'
import { type EventName, eventMessages, outcomeOf, tell } from './event-messages.ts'
import { expectedEvents } from './expected-events.ts'
import { expectedRoutes } from './expected-routes.ts'
import { addressOf, type RouteName, routeRequests } from './route-requests.ts'
import { everybody, type KindOfRoom, kindsOfRoom, type Who } from './who.ts'

export function describeAccessMatrix(storeName: string, openStore: OpenStore): void {
  describe(`who is answered what, on ${storeName}`, () => {
    let opened: OpenedStore
    let scene: AccessScene
    beforeAll(async () => {
      opened = await openStore({})
      scene = await AccessScene.open(opened.store)
    })
    afterAll(async () => {
      await scene?.close()
      await opened?.close()
    })

    it('[A1] the tables name every route and every event, and no others', () => {
      expect(Object.keys(expectedRoutes).toSorted()).toEqual(Object.keys(routes).toSorted())
      expect(Object.keys(expectedEvents).toSorted()).toEqual(Object.keys(serverEvents).toSorted())
    })

    it.each(Object.keys(routes) as RouteName[])(
      '[A1] %s answers everybody as its table says',
      async (name) => {
        const heard = await eachCell((who, room) => askRoute(scene, name, who, room))
        expect(heard).toEqual(cellsOf(expectedRoutes[name]))
        expect(scene.server.faults).toEqual([])
      },
    )

    it.each(Object.keys(serverEvents) as EventName[])(
      '[A1] %s answers everybody as its table says',
      async (name) => {
        const heard = await eachCell((who, room) => sendEvent(scene, name, who, room))
        expect(heard).toEqual(cellsOf(expectedEvents[name]))
        expect(scene.server.faults).toEqual([])
      },
    )
  })
}

type Cells = Readonly<Record<string, string>>

async function eachCell(ask: (who: Who, room: KindOfRoom) => Promise<string>): Promise<Cells> {
  const heard: Record<string, string> = {}
  for (const room of kindsOfRoom) for (const who of everybody) heard[`${who}, ${room}`] = await ask(who, room)
  return heard
}

function cellsOf(door: Door): Cells {
  const cells = kindsOfRoom.flatMap((room) => everybody.map((who) => [`${who}, ${room}`, door[who][room]]))
  return Object.fromEntries(cells) as Cells
}

async function askRoute(scene: AccessScene, name: RouteName, who: Who, room: KindOfRoom): Promise<string> {
  const { method, path, replies }: Route = routes[name]
  const { params, body, client = scene.as(who, room) } = await routeRequests[name](scene, room, who)
  const answer = await client.call(method, addressOf(path, params), body)
  return answer.status < 300 && answer.status in replies ? 'ok' : codeOf(answer)
}

/** The code of a refusal, where the answer is one as the catalogue has it; otherwise what is wrong with it. */
export function codeOf({ status, body, headers }: ApiAnswer): string {
  const { code } = (body ?? {}) as { code?: unknown }
  if (typeof code !== 'string' || !(code in refusalCatalogue)) return `${status} without a code we know`
  const entry = refusalCatalogue[code as keyof typeof refusalCatalogue]
  if (entry.status !== status) return `${code} with status ${status}`
  return headers.get('content-type')?.startsWith('application/problem+json') ? code : `${code}, not a problem`
}

async function sendEvent(scene: AccessScene, name: EventName, who: Who, room: KindOfRoom): Promise<string> {
  // A connection belongs to one worker, so each cell has its own.
  const socket = await scene
    .as(who, room)
    .socket()
    .catch((refused: Error & { data?: { code?: string } }) => refused.data?.code ?? String(refused))
  if (typeof socket === 'string') return socket
  const payload = await eventMessages[name](scene, room, socket)
  const outcome = outcomeOf(await tell(socket, serverEvents[name].event, payload))
  socket.close()
  return outcome
}
