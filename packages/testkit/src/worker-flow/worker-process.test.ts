import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { heard } from '../server/api-client.ts'
import { deaf, dying, where } from './isolated-extensions.ts'
import { WorkerScene } from './worker-scene.ts'

const module = new URL('./isolated-extensions.ts', import.meta.url).href

let scene: WorkerScene

beforeEach(async () => {
  scene = await WorkerScene.open()
})

afterEach(async () => {
  await scene.close()
  expect(scene.faults).toEqual([])
})

describe('a worker with process isolation', () => {
  beforeEach(async () => {
    await scene
      .worker([deaf, dying, where], { isolation: 'process', module, slots: 2, shutdownTimeoutMs: 1 })
      .start()
  })

  it('[K23] runs its jobs outside of its own process', async () => {
    const { result } = await scene.reaches(await scene.submit(where, {}), 'completed')
    expect(result).toBeTypeOf('number')
    expect(result).not.toBe(process.pid)
  })

  it('[K24] a runner that ends fails its job and no other', async () => {
    const stays = await scene.submit(deaf, {})
    await scene.reaches(stays, 'running')
    const failed = await scene.reaches(await scene.submit(dying, {}), 'failed')
    expect(failed.error?.message).toBe('The runner exited with code 3.')
    expect(await scene.job(stays)).toMatchObject({ status: 'running' })
    await scene.reaches(await scene.submit(where, {}), 'completed')
  })

  it('[K25] a job that ignores its cancel is killed after the grace period', async () => {
    const id = await scene.submit(deaf, {}, { policy: { cancelGraceMs: 200 } })
    await scene.reaches(id, 'running')
    await scene.ann.expect(202, 'POST', `/api/rooms/lab/jobs/${id}/cancel`)
    await scene.reaches(id, 'cancelled')
    // The slot is free again, whoever came first, the worker or the server.
    const both = await Promise.all([scene.submit(where, {}), scene.submit(where, {})])
    for (const one of both) await scene.reaches(one, 'completed')
  })

  it('[K13] a job that ignores its run limit is killed, and fails by it', async () => {
    const id = await scene.submit(deaf, {}, { policy: { runLimitMs: 200, cancelGraceMs: 0 } })
    const { error } = await scene.reaches(id, 'failed')
    expect(error?.message).toContain('200 ms')
  })
})

describe('a worker that is a process', () => {
  it('[K30] finishes its job after SIGTERM, takes no other, and ends with 0', async () => {
    const main = fileURLToPath(new URL('./patient-main.ts', import.meta.url))
    const child = spawn(process.execPath, [main, scene.url, scene.ann.token ?? ''], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit')
    const line = (stream: NodeJS.ReadableStream): Promise<unknown[]> =>
      once(createInterface({ input: stream }), 'line')
    const [served, began] = [line(child.stderr), line(child.stdout)]
    expect(String(await served)).toMatch(/^millrace: \S+ serves modifiers\/Patient at http/)

    const patient = { category: 'modifiers', name: 'Patient' }
    const id = await scene.submit(patient, {})
    await began
    const socket = await scene.ann.socket()
    await socket.emitWithAck('room:join', { room: 'lab' })
    const withdrawn = heard(socket, 'schema:invalidated')
    child.kill('SIGTERM')
    await withdrawn
    child.kill('SIGUSR2')
    expect(await exited).toEqual([0, null])
    expect(await scene.reaches(id, 'completed')).toMatchObject({ result: 'patience' })
  })
})
