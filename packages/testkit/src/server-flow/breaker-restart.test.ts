import { join } from 'node:path'
import { openSqliteStore } from '@millrace/server'
import { describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import { becomes, breakIt, extensionPath } from './breaker-cases.ts'
import { FlowScene } from './flow-scene.ts'

interface Life {
  readonly scene: FlowScene
  readonly server: TestServer
  end(): Promise<void>
}

/** One life of a server on a file: its memory goes with it. */
async function live(file: string, clock: { now: number }): Promise<Life> {
  const store = await openSqliteStore({ file, now: () => clock.now })
  const server = await startTestServer(store, ['--registrations-per-minute', '1000'])
  const root = await server.as('root', 'admin')
  const scene = new FlowScene(server.url, root.token ?? '')
  const end = async (): Promise<void> => {
    await scene.close()
    await server.close()
    await store.close()
  }
  return { scene, server, end }
}

describe('the breaker of an extension after a restart', () => {
  it('[M79] is as open as before; the probe of one life is acted on in the next, and never replaced meanwhile', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const file = join(await makeTempDir('breaker'), 'store')
    const first = await live(file, clock)
    const room = await first.scene.newRoom()
    const worker = await first.scene.worker([{ room }])
    await breakIt(first.scene, room, await first.scene.ear(room), worker)
    const waiting = await first.scene.submitMany(room, 2)
    await first.end()

    const second = await live(file, clock)
    const again = await second.scene.worker([{ room }], { id: worker.id })
    expect(await second.scene.why(room, waiting[0] ?? '')).toMatchObject({ reason: 'breaker_open' })
    clock.now += 60_000
    await second.server.running.tick()
    const probe = await again.assigned.next()
    expect(probe.id).toBe(waiting[0])
    await again.started(probe)
    await second.end()

    const third = await live(file, clock)
    const ear = await third.scene.ear(room)
    const back = await third.scene.worker([{ room }], { id: worker.id, attempts: [probe], slots: 2 })
    expect(await third.scene.why(room, waiting[1] ?? '')).toMatchObject({ reason: 'breaker_probing' })
    expect(await back.completed(probe)).toBe('completed')
    await becomes(third.scene, ear, 'closed', extensionPath(room))
    expect((await back.assigned.next()).id).toBe(waiting[1])
    await third.end()
  })

  it('[M78] the server’s options count where the extension does not choose', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const store = await openSqliteStore({
      file: join(await makeTempDir('breaker'), 'store'),
      now: () => clock.now,
    })
    const server = await startTestServer(store, ['--breaker-failures', '3', '--breaker-open-ms', '2000'])
    const scene = new FlowScene(server.url, (await server.as('root', 'admin')).token ?? '')
    const room = await scene.newRoom()
    await scene.worker([{ room, policy: { breaker: { openMs: 7_000 } } }])
    expect(await scene.admin.get(extensionPath(room))).toMatchObject({
      policy: { breaker: { failuresToOpen: 3, openMs: 7_000 } },
    })
    await scene.close()
    await server.close()
    await store.close()
  })
})
