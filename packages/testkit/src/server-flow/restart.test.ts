import { describe, expect, it } from 'vitest'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { startServerProcess } from '../server/server-process.ts'
import { FlowScene } from './flow-scene.ts'

describe('a server that is killed', () => {
  it('[M44] has every answered submit after its restart, and its workers carry on with what they run', async () => {
    const args = ['--data-dir', await makeTempDir('restart'), '--port', String(await freePort())]
    const first = await startServerProcess(args)
    const scene = new FlowScene(first.url, first.admin.token ?? '')
    const ledger = await scene.ledger()
    const room = await scene.newRoom()
    const earBefore = await scene.ear(room)
    const extensions = [{ room, category: 'modifiers', name: 'Relax' }]
    const worker = await scene.process({ ledger: ledger.file, extensions })
    const held = await scene.submit(room, { do: 'hold' })
    await worker.line((line) => line === `holds ${held}`)
    await earBefore.reached(held, 'running')
    const waiting = await scene.submitMany(room, 20)
    const cut = earBefore.cut()
    await first.child.kill()
    await cut

    const second = await startServerProcess(args)
    const again = new FlowScene(second.url, scene.admin.token ?? '')
    const ear = await again.ear(room)
    expect(ear.joined.epoch).not.toBe(earBefore.joined.epoch)
    await again.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${held}/cancel`)
    await ear.reached(held, 'cancelled')
    await ear.states.until((all) =>
      waiting.every((id) => all.some((one) => one.id === id && one.status === 'completed')),
    )
    expect(ledger.jobs().toSorted()).toEqual([held, ...waiting].toSorted())
    expect((await again.job(room, held)).attempts).toHaveLength(1)
    await again.close()
    await scene.close()
    await second.child.kill()
  }, 120_000)
})
