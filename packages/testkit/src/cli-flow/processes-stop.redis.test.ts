import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import type { CommandProcess } from './command-process.ts'
import { gone } from './process-family.ts'
import { endless, holdRunners, job, longWait, reaches, StopScene, short, submit } from './stop-scene.ts'
import { makeWorkerFolder } from './worker-files.ts'

const patienceMs = 240_000
const notReady = { status: 'not_ready', reason: 'the server is stopping' }

let redis: RedisProcess
let scene: StopScene

beforeEach(async () => {
  redis = await RedisProcess.start()
  scene = await StopScene.open(redis)
})
afterEach(async () => {
  await scene.close()
  await redis.stop()
})

describe('millrace start that is told to stop while its pool runs a job', { timeout: patienceMs }, () => {
  it('[M103] says that it is not ready, places nothing more, lets the job end, and exits with 0', async () => {
    const stays = await scene.server('--pool-slots', '0')
    const stops = await scene.server('--pool-slots', '2', ...longWait)
    const letGo = holdRunners(stops.command)
    const running = await submit(stops.admin, 'LorenzAttractor', short)
    await reaches(stays.admin, running, 'running')
    const idle = new FlowScene(stops.url, stops.admin.token ?? '')
    const worker = await idle.worker([{ room: 'lab', category: 'analysis' }])
    const family = stops.command.family()
    stops.command.signal('SIGTERM')
    await stops.command.line('Stopping.')
    expect(await stops.admin.call('GET', '/health/ready')).toMatchObject({ status: 503, body: notReady })
    expect(await stops.admin.call('GET', '/health/live')).toMatchObject({ status: 200 })
    // Others will run it, so it is taken; the worker that is free and still connected here is not given it.
    const later = await submit(stops.admin, 'Relax', {})
    expect((await job(stays.admin, running)).status).toBe('running')
    letGo()
    expect(await stops.command.exit).toBe(0)
    await gone(family)
    expect(await job(stays.admin, running)).toMatchObject({ status: 'completed', charged: 0 })
    expect(await job(stays.admin, later)).toMatchObject({ status: 'pending', attempts: [] })
    expect(worker.assigned.all).toEqual([])
    await idle.close()
  })

  it('[M104] gives back at once what does not end in time, uncharged and whatever its policy says', async () => {
    const stops = await scene.server('--pool-slots', '1', '--shutdown-timeout-ms', '500')
    const id = await submit(stops.admin, 'LorenzAttractor', endless, { onWorkerLost: 'fail' })
    await reaches(stops.admin, id, 'running')
    const stays = await scene.server('--pool-slots', '0')
    const family = stops.command.family()
    stops.command.signal('SIGTERM')
    expect(await stops.command.exit).toBe(0)
    const left = await job(stays.admin, id)
    expect(left).toMatchObject({ status: 'pending', charged: 0, attempts: [{ outcome: 'server_stop' }] })
    await gone(family)
    await scene.pool(stays)
    expect((await reaches(stays.admin, id, 'running')).attempts).toHaveLength(2)
  })

  it('[M104] gives back what a pool that was killed meanwhile has left', async () => {
    const stops = await scene.server('--pool-slots', '1', '--shutdown-timeout-ms', '60000')
    const id = await submit(stops.admin, 'LorenzAttractor', endless)
    await reaches(stops.admin, id, 'running')
    const stays = await scene.server('--pool-slots', '0')
    const pool = stops.command.member('main.ts pool')
    stops.command.signal('SIGTERM')
    await stops.command.line('Stopping.')
    process.kill(pool.pid, 'SIGKILL')
    expect(await stops.command.exit).toBe(0)
    expect(await job(stays.admin, id)).toMatchObject({
      status: 'pending',
      attempts: [{ outcome: 'server_stop' }],
    })
  })

  it('[M106] at a second signal exits at once, with the code of the signal and without a process left', async () => {
    const stops = await scene.server('--pool-slots', '1')
    await reaches(stops.admin, await submit(stops.admin, 'LorenzAttractor', endless), 'running')
    const family = stops.command.family()
    expect(family.length).toBeGreaterThan(2)
    await stops.command.signalUntilEnded('SIGTERM')
    expect(await stops.command.exit).toBe(143)
    await gone(family)
  })
})

describe('millrace pool that is told to stop while it runs a job', { timeout: patienceMs }, () => {
  it('[M105] lets it end, and exits with 0', async () => {
    const server = await scene.server('--pool-slots', '0')
    const { admin } = server
    const pool = await scene.pool(server, ...longWait)
    const letGo = holdRunners(pool)
    const id = await submit(admin, 'LorenzAttractor', short)
    await reaches(admin, id, 'running')
    const family = pool.family()
    pool.signal('SIGTERM')
    await pool.line('waits for 1 job')
    letGo()
    expect(await pool.exit).toBe(0)
    expect(await job(admin, id)).toMatchObject({ status: 'completed', charged: 0 })
    await gone(family)
  })

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

  it('[M106] at a second signal exits at once, without a process left', async () => {
    const server = await scene.server('--pool-slots', '0')
    const { admin } = server
    const pool = await scene.pool(server)
    await reaches(admin, await submit(admin, 'LorenzAttractor', endless), 'running')
    const family = pool.family()
    await pool.signalUntilEnded('SIGINT')
    expect(await pool.exit).toBe(130)
    await gone(family)
  })
})

/** Its job waits for a file to appear; the wait of the worker is short. */
const patientWorker = `
import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { createWorker, defineExtension } from '@millrace/worker'

const patient = defineExtension({
  category: 'analysis',
  name: 'Patient',
  room: 'lab',
  schema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  async run({ data, signal }) {
    await new Promise((resolve, reject) => {
      const look = () => existsSync(data.file) && resolve()
      watch(dirname(data.file), { signal }, look)
      signal.addEventListener('abort', () => reject(signal.reason))
      look()
    })
    return 'seen'
  },
})

const { MILLRACE_URL: url, MILLRACE_TOKEN: token, PATIENCE_MS } = process.env
const shutdownTimeoutMs = Number(PATIENCE_MS)
await createWorker({ url, token, shutdownTimeoutMs, vitals: false, extensions: [patient] }).start()
`

describe('millrace worker that is told to stop while it runs a job', { timeout: patienceMs }, () => {
  async function runningJob(waitMs: number) {
    const { admin, url } = await scene.server('--pool-slots', '0')
    const folder = await makeWorkerFolder()
    const file = folder.write('patient.ts', patientWorker)
    const env = { MILLRACE_URL: url, MILLRACE_TOKEN: admin.token ?? '', PATIENCE_MS: String(waitMs) }
    const start = async (): Promise<CommandProcess> => {
      const started = scene.run(['worker', file], env)
      await started.line('serves analysis/Patient')
      return started
    }
    const worker = await start()
    const wanted = folder.path('wanted')
    const id = await submit(admin, 'Patient', { file: wanted })
    await reaches(admin, id, 'running')
    return { admin, worker, start, id, let: () => writeFileSync(wanted, ''), family: worker.family() }
  }

  it('[M105] lets it end, and exits with 0', async () => {
    const { admin, worker, id, let: letEnd, family } = await runningJob(60_000)
    worker.signal('SIGTERM')
    await worker.line('waits for 1 job')
    letEnd()
    expect(await worker.exit).toBe(0)
    expect(await job(admin, id)).toMatchObject({ status: 'completed', result: 'seen', charged: 0 })
    await gone(family)
  })

  it('[M105] leaves what does not end in time to another worker, at once and uncharged', async () => {
    const { admin, worker, start, id, let: letEnd, family } = await runningJob(500)
    worker.signal('SIGTERM')
    expect(await worker.exit).toBe(0)
    expect(await reaches(admin, id, 'pending')).toMatchObject({ charged: 0 })
    await gone(family)
    await start()
    letEnd()
    expect((await reaches(admin, id, 'completed')).attempts).toHaveLength(2)
  })

  it('[M106] at a second signal exits at once, without a process left', async () => {
    const { worker, family } = await runningJob(60_000)
    await worker.signalUntilEnded('SIGTERM')
    expect(await worker.exit).toBe(143)
    await gone(family)
  })
})
