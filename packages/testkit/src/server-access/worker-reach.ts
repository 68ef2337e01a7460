// That a worker reaches no further than its token, and is given no job that it no longer waits for.

import type { AssignedJob } from '@millrace/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { AccessScene, annex, rooms } from './access-scene.ts'
import { tell } from './event-messages.ts'

export function describeWorkerReach(storeName: string, openStore: OpenStore): void {
  describe(`whom a worker is taken for, on ${storeName}`, () => {
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

    takenFor(() => scene)
  })
}

const registration = (id: string, room: string) => ({
  worker: { id },
  extensions: [{ room, category: 'analysis', name: 'Own', schema: {} }],
})

function takenFor(scene: () => AccessScene): void {
  it('[A10] a token for one room does not take the place of a worker of another', async () => {
    const stray = scene().as('strayWorker')
    const body = registration(scene().worker('private'), annex)
    expect(await stray.call('POST', '/api/workers/register', body)).toMatchObject({
      status: 403,
      body: { code: 'worker_not_yours' },
    })
    const socket = await stray.socket()
    expect(await tell(socket, 'extension:register', body)).toMatchObject({
      ok: false,
      problem: { code: 'worker_not_yours' },
    })
    const { job } = await scene().attempt('private')
    expect(job).toEqual(expect.any(String))
  })

  it('[A10] a token for one room registers nothing for another', async () => {
    const both = registration('greedy', annex)
    const extensions = [...both.extensions, ...registration('greedy', rooms.open).extensions]
    expect(
      await scene()
        .as('strayWorker')
        .call('POST', '/api/workers/register', { ...both, extensions }),
    ).toMatchObject({ status: 404, body: { code: 'room_not_found' } })
    const path = `/api/rooms/${annex}/extensions`
    expect(await scene().as('strayWorker').expect(200, 'GET', path)).toEqual({ extensions: [] })
  })

  it('[A11] a job is not given to a question that nobody waits for any more', async () => {
    const member = scene().as('member')
    const id = 'hasty'
    await member.expect(200, 'POST', '/api/workers/register', registration(id, rooms.open))
    const waiting = (): number =>
      scene()
        .server.running.parts.roster.get(id as never)
        ?.channel.ready() ?? 0
    const gone = new AbortController()
    const asked = member.call('POST', '/api/jobs/next', { worker: id, waitMs: 20_000 }, gone.signal)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    gone.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)

    const path = `/api/rooms/${rooms.open}/extensions/room/analysis/Own/submit`
    const made = await member.expect<{ id: string }>(201, 'POST', path, { data: {} })
    const body = { worker: id, waitMs: 10_000 }
    const given = await member.expect<AssignedJob>(200, 'POST', '/api/jobs/next', body)
    expect(given).toMatchObject({ id: made.id, charged: 0 })
  })
}
