// A server that has too much to do: new jobs are refused before they are read, and nothing else is.

import type { Store } from '@millrace/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import { tell } from '../server-flow/checked-client.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import type { OpenedStore } from '../store-contract/contract-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { type Knock, knock } from './edge-scene.ts'

let opened: OpenedStore
let server: TestServer
let scene: FlowScene
beforeEach(async () => {
  opened = await sqliteOpener({})
})
afterEach(async () => {
  await scene?.close()
  await server?.close()
  await opened.close()
})

async function start(store: Store, ...args: readonly string[]): Promise<void> {
  server = await startTestServer(store, ['--registrations-per-minute', '100', ...args])
  scene = new FlowScene(server.url, (await server.as('root', 'admin')).token ?? '')
}

/** The store as it is, but commits that take in something new wait until they are let through. */
function slowIntake(real: Store): { readonly store: Store; letThrough(): void } {
  let letThrough = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  const commit: Store['commit'] = async (change) => {
    if (change.takesIn) await gate
    return real.commit(change)
  }
  const store = new Proxy(real, {
    get: (target, name) => {
      if (name === 'commit') return commit
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { store, letThrough }
}

function submit(room: string, body: unknown): Promise<Knock> {
  const headers = { authorization: `Bearer ${scene.admin.token}` }
  return knock(server.url, 'POST', `/api/rooms/${room}/jobs`, headers, body)
}

const job = { category: 'modifiers', extension: 'Relax', data: {} }

describe('a server that has too much to do', () => {
  it('[M121] with too many jobs on their way to the store it refuses more before it reads them, and nothing else', async () => {
    const { store, letThrough } = slowIntake(opened.store)
    await start(store, '--intake-max-jobs', '3')
    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }])
    const under = [submit(room, job), submit(room, job), submit(room, job)]
    const refused = { status: 503, code: 'server_busy', retryAfter: 1 }
    await expect.poll(() => submit(room, 'no job at all'), { timeout: 10_000 }).toMatchObject(refused)
    const headers = { authorization: `Bearer ${scene.admin.token}` }
    const bulk = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
    expect(await knock(server.url, 'POST', bulk, headers, { jobs: [] })).toMatchObject(refused)
    expect(await knock(server.url, 'POST', `/api/rooms/${room}/jobs/none/retry`, headers)).toMatchObject(
      refused,
    )
    const socket = await scene.admin.socket()
    const problem = { code: 'server_busy', status: 503 }
    expect(await tell(socket, 'job:submit', { room, ...job })).toMatchObject({ ok: false, problem })
    socket.close()
    expect((await knock(server.url, 'POST', bulk, {}, { jobs: [] })).status).toBe(401)
    await scene.admin.get(`/api/rooms/${room}/jobs`)
    await scene.newRoom()
    await worker.register({ id: worker.id }, [{ room }])
    letThrough()
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await submit(room, job)).toMatchObject({ status: 201 })
  })

  it('[M121] with an event loop that is late turn after turn it does the same, and for one long turn it does not', async () => {
    // Turns of a loaded machine are late by less than this; of the last five most have to be.
    await start(opened.store, '--intake-max-delay-ms', '300')
    const room = await scene.newRoom()
    await scene.worker([{ room }])
    block(1_000)
    expect(await submit(room, job)).toMatchObject({ status: 201 })
    for (let count = 0; count < 6; count += 1) {
      block(450)
      await timersHeard()
    }
    expect(server.running.parts.edge.intake.busy()).toMatchObject({ refused: 'server_busy' })
    await expect.poll(() => submit(room, job), { timeout: 10_000 }).toMatchObject({ status: 201 })
  })
})

/** Between two turns whoever waits for an instant that has passed is told; with nothing else waited for none is in time. */
async function timersHeard(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Keeps the event loop from turning. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
