import { describe, expect, it } from 'vitest'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { startServerProcess } from '../server/server-process.ts'
import { RawWorker } from '../server-flow/worker/raw-worker.ts'
import { NounScene, relaxIn } from './noun-scene.ts'

describe('a job that is followed', () => {
  it('[N19] is followed over a server that is killed and comes back: no line is lost or told twice', {
    timeout: 90_000,
  }, async () => {
    const args = ['--data-dir', await makeTempDir('nouns-restart'), '--port', String(await freePort())]
    const first = await startServerProcess(args)
    const before = await NounScene.open(first.url, first.admin.token ?? '')
    const { room, worker, env } = await before.lab()
    const people = before.start(['submit', 'Relax', '--follow'], env)
    const job = await worker.assigned.next()
    await worker.started(job)
    await worker.log(job, 'before')
    await people.said('before')
    const programs = before.start(['jobs', 'follow', job.id, '--json'], env)
    await programs.said('"before"')
    const cut = new Promise((resolve) => worker.socket.once('disconnect', resolve))
    await first.child.kill()
    await Promise.all([cut, people.said('No Millrace server answers'), programs.said('"lost"')])

    const second = await startServerProcess(args)
    const after = await NounScene.open(second.url, before.admin.token ?? '')
    const again = await RawWorker.connect(after.admin, { id: worker.id, attempts: [job] }, [relaxIn(room)])
    await again.log(job, 'after')
    await Promise.all([people.said('after'), programs.said('"after"')])
    await again.completed(job, { kept: true })
    const [told, records] = await Promise.all([people.ended, programs.ended])
    expect({ code: told.code, out: JSON.parse(told.out) as unknown }).toEqual({
      code: 0,
      out: { kept: true },
    })
    expect(told.err).toContain('The server answers again.')
    const texts = records.out.match(/"event":"log".*?"text":"\w+"/g)?.map((line) => line.split('"').at(-2))
    expect(texts).toEqual(['before', 'after'])
    await after.close()
    await before.close()
    await second.child.kill()
  })
})
