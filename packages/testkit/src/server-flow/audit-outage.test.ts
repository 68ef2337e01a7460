// A request about many jobs that its store leaves in the middle.

import type { AuditPage, ManyDone } from '@millrace/protocol'
import { type Store, StoreUnavailable } from '@millrace/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import type { OpenedStore } from '../store-contract/contract-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { FlowScene } from './flow-scene.ts'

describe('a store that goes away during a request about many', () => {
  let opened: OpenedStore
  let server: TestServer
  let scene: FlowScene
  let isOut: (cancelled: number) => boolean = () => false
  beforeAll(async () => {
    opened = await sqliteOpener({})
    server = await startTestServer(failing(opened.store, (cancelled) => isOut(cancelled)))
    scene = new FlowScene(server.url, (await server.as('root', 'admin')).token ?? '')
  })
  afterAll(async () => {
    await scene?.close()
    await server?.close()
    await opened?.close()
  })

  it('[Y6] a request that did not come to its end is on record as begun, and can be sent again', async () => {
    const room = await scene.newRoom()
    await scene.worker([{ room }])
    await scene.admin.expect(200, 'POST', `/api/rooms/${room}/extensions/room/modifiers/Relax/pause`)
    await scene.submitMany(room, 250)
    const path = `/api/rooms/${room}/jobs/cancel`
    isOut = (cancelled) => cancelled >= 100
    await scene.admin.refused(503, 'POST', path, { filter: {} })
    isOut = () => false
    const rest = await scene.admin.expect<ManyDone>(200, 'POST', path, { filter: {} })
    expect(rest).toEqual({ matched: 150, done: 150, refused: [] })
    const { entries } = await scene.admin.get<AuditPage>(`/api/rooms/${room}/audit?action=jobs`)
    expect(entries).toMatchObject([{ outcome: 'done', details: { done: 150 } }, { outcome: 'begun' }])
  })
})

/** The store, unreachable for further cancels once so many were written. */
function failing(store: Store, isOut: (cancelled: number) => boolean): Store {
  let cancelled = 0
  const commit: Store['commit'] = async (change) => {
    const ends = change.put?.filter(({ wideLists }) => wideLists?.includes('cancelled')).length ?? 0
    if (ends > 0 && isOut(cancelled)) throw new StoreUnavailable('out for a test')
    cancelled += ends
    return store.commit(change)
  }
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
