import { createSubmitter } from '@millrace/worker'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../process/free-port.ts'
import { gone } from './process-family.ts'
import { endless, holdRunners, job, longWait, reaches, StopScene, short, submit } from './stop-scene.ts'

const patienceMs = 240_000

let scene: StopScene
beforeEach(async () => {
  scene = await StopScene.open()
})
afterEach(async () => {
  await scene.close()
})

describe('a server with a store of its own that is told to stop', { timeout: patienceMs }, () => {
  it('[M103] refuses submits until it is gone, because nobody else would run them', async () => {
    const { admin, command } = await scene.server('--pool-slots', '1', ...longWait)
    const letGo = holdRunners(command)
    const id = await submit(admin, 'LorenzAttractor', short)
    await reaches(admin, id, 'running')
    command.signal('SIGTERM')
    await command.line('Stopping.')
    const body = { category: 'analysis', extension: 'LorenzAttractor', data: {} }
    const refused = await admin.call('POST', '/api/rooms/lab/jobs', body)
    expect(refused).toMatchObject({ status: 503, body: { code: 'server_stopping' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    letGo()
    expect(await command.exit).toBe(0)
    const again = await scene.server('--pool-slots', '0')
    expect(await job(again.admin, id)).toMatchObject({ status: 'completed' })
  })

  it('[K54] leaves what a submitter has to the next server, without a key too', async () => {
    const port = ['--port', String(await freePort())]
    const { admin, command, url } = await scene.server('--pool-slots', '1', ...longWait, ...port)
    const letGo = holdRunners(command)
    const id = await submit(admin, 'LorenzAttractor', short)
    await reaches(admin, id, 'running')
    // With a job that waits for it, what the pool serves stays known while there is no pool.
    await submit(admin, 'LorenzAttractor', short)
    const wanted = { room: 'lab', category: 'analysis', extension: 'LorenzAttractor', data: short }
    const submitter = createSubmitter({ url, token: admin.token ?? '', answerMs: patienceMs })
    await submitter.submit(wanted)
    const socket = await admin.socket()
    command.signal('SIGTERM')
    await command.line('Stopping.')
    const submitted = submitter.submit(wanted)
    const problem = { code: 'server_stopping' }
    expect(await socket.emitWithAck('job:submit', wanted)).toMatchObject({ ok: false, problem })
    letGo()
    expect(await command.exit).toBe(0)
    const again = await scene.server('--pool-slots', '1', ...port)
    expect(await reaches(again.admin, (await submitted).id, 'completed')).toMatchObject({ submitter: 'root' })
    submitter.close()
    socket.close()
  })

  it('[M104] gives back at once what does not end in time, uncharged and whatever its policy says', async () => {
    const { admin, command } = await scene.server('--pool-slots', '1', '--shutdown-timeout-ms', '500')
    const id = await submit(admin, 'LorenzAttractor', endless, { onWorkerLost: 'fail' })
    await reaches(admin, id, 'running')
    const family = command.family()
    command.signal('SIGTERM')
    expect(await command.exit).toBe(0)
    await gone(family)
    const again = await scene.server('--pool-slots', '0')
    const left = await job(again.admin, id)
    expect(left).toMatchObject({ status: 'pending', charged: 0, attempts: [{ outcome: 'server_stop' }] })
    await scene.pool(again)
    expect((await reaches(again.admin, id, 'running')).attempts).toHaveLength(2)
  })

  it('[M104] gives back what a pool that was killed meanwhile has left', async () => {
    const { admin, command } = await scene.server('--pool-slots', '1', '--shutdown-timeout-ms', '60000')
    const id = await submit(admin, 'LorenzAttractor', endless)
    await reaches(admin, id, 'running')
    const pool = command.member('main.ts pool')
    command.signal('SIGTERM')
    await command.line('Stopping.')
    process.kill(pool.pid, 'SIGKILL')
    expect(await command.exit).toBe(0)
    const again = await scene.server('--pool-slots', '0')
    expect(await job(again.admin, id)).toMatchObject({
      status: 'pending',
      attempts: [{ outcome: 'server_stop' }],
    })
  })

  it('[M106] at a second signal exits at once, with the code of the signal and without a process left', async () => {
    const { admin, command } = await scene.server('--pool-slots', '1')
    await reaches(admin, await submit(admin, 'LorenzAttractor', endless), 'running')
    const family = command.family()
    await command.signalUntilEnded('SIGTERM')
    expect(await command.exit).toBe(143)
    await gone(family)
  })
})

describe('a pool of a server with a store of its own', { timeout: patienceMs }, () => {
  it('[M105] leaves what does not end in time to another pool, at once and uncharged', async () => {
    const server = await scene.server('--pool-slots', '0')
    const { admin } = server
    const pool = await scene.pool(server, '--shutdown-timeout-ms', '500')
    const id = await submit(admin, 'LorenzAttractor', endless, { onWorkerLost: 'fail' })
    await reaches(admin, id, 'running')
    const family = pool.family()
    pool.signal('SIGTERM')
    expect(await pool.exit).toBe(0)
    const left = await reaches(admin, id, 'pending')
    expect(left).toMatchObject({ charged: 0, attempts: [{ outcome: 'server_stop' }] })
    await gone(family)
    await scene.pool(server)
    await reaches(admin, id, 'running')
  })
})
