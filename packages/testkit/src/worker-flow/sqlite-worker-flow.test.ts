import { defineExtension, failed, fatal, rejected, WorkerError, WorkerRefused } from '@millrace/worker'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { heldExtension } from './held-extension.ts'
import { next, WorkerScene } from './worker-scene.ts'

let scene: WorkerScene

beforeEach(async () => {
  scene = await WorkerScene.open()
})

afterEach(async () => {
  await scene.close()
  expect(scene.faults).toEqual([])
})

const square = defineExtension({
  category: 'analysis',
  name: 'Square',
  schema: {
    type: 'object',
    properties: { number: { type: 'number' }, times: { type: 'integer', default: 2 } },
    required: ['number'],
  },
  run: async ({ data, log, progress }) => {
    progress(0.5, 'thinking')
    log(`${data.number} to the ${data.times}`)
    return data.number ** data.times
  },
})

describe('a worker and its server', () => {
  it('[K11] a job is run with validated data and its result and lines are kept', async () => {
    await scene.worker([square]).start()
    const id = await scene.submit(square, { number: 7 })
    const job = await scene.reaches(id, 'completed')
    expect(job).toMatchObject({ data: { number: 7, times: 2 }, result: 49, worker: 'worker-1' })
    const { lines } = await scene.ann.expect<{ lines: { text: string }[] }>(
      200,
      'GET',
      `/api/rooms/lab/jobs/${id}/logs`,
    )
    expect(lines.map(({ text }) => text)).toEqual(['7 to the 2'])
  })

  it('[K11] outcomes are what the handler says', async () => {
    const outcomes = {
      dead: () => fatal('no'),
      again: () => failed('once more'),
      back: () => rejected('not me'),
    }
    const seen = new Set<string>()
    const moody = defineExtension<keyof typeof outcomes>({
      category: 'analysis',
      name: 'Moody',
      schema: { type: 'string' },
      run: ({ id, data }) => {
        if (seen.has(id)) return 'at last'
        seen.add(id)
        return outcomes[data]()
      },
    })
    await scene.worker([moody], { slots: 3 }).start()
    const policy = { backoffBaseMs: 0 }
    const dead = await scene.submit(moody, 'dead')
    const again = await scene.submit(moody, 'again', { policy })
    const back = await scene.submit(moody, 'back', { policy })
    expect(await scene.reaches(dead, 'failed')).toMatchObject({ deadLetter: true, error: { message: 'no' } })
    expect(await scene.reaches(again, 'completed')).toMatchObject({ result: 'at last', charged: 1 })
    expect(await scene.reaches(back, 'completed')).toMatchObject({ result: 'at last', charged: 0 })
  })

  it('[K2] a thousand jobs go through one worker, each once', async () => {
    const runs = new Map<string, number>()
    const noop = defineExtension({
      category: 'analysis',
      name: 'Noop',
      schema: { type: 'object' },
      run: async ({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1),
    })
    await scene.worker([noop], { slots: 100 }).start()
    const path = '/api/rooms/lab/extensions/room/analysis/Noop/submit-many'
    const jobs = Array.from({ length: 1_000 }, () => ({ data: {} }))
    await scene.ann.expect(201, 'POST', path, { jobs })
    const last = await scene.submit(noop, {}, { priority: 0 })
    await scene.reaches(last, 'completed')
    expect([...runs.values()].filter((times) => times !== 1)).toEqual([])
    expect(runs.size).toBe(1_001)
  })

  it('[K14] a cancelled job is aborted and its stages are told', async () => {
    const held = heldExtension('Held')
    await scene.worker([held.extension]).start()
    const id = await scene.submit(held.extension, {})
    const { job } = await held.began()
    await scene.reaches(id, 'running')
    await scene.ann.expect(202, 'POST', `/api/rooms/lab/jobs/${id}/cancel`)
    expect(await scene.reaches(id, 'cancelled')).toMatchObject({ cancel: { by: 'ann', stage: 'stopped' } })
    expect(job.signal.reason).toMatchObject({ why: 'cancelled' })
  })
})

describe('a worker that is refused', () => {
  it('[K27] a credential that is none ends the start with what the server says', async () => {
    const start = scene.worker([square], { token: 'no token' }).start()
    await expect(start).rejects.toBeInstanceOf(WorkerRefused)
    await expect(start).rejects.toMatchObject({ problem: { status: 401 } })
  })

  it('[K27] a schema other than the one being served ends the start with the difference', async () => {
    const [one, other] = [heldExtension('Held'), heldExtension('Held', { type: 'object', title: 'Other' })]
    await scene.worker([one.extension]).start()
    const start = scene.worker([other.extension]).start()
    await expect(start).rejects.toMatchObject({
      code: 'extension_schema_conflict',
      problem: { status: 409, details: expect.anything() },
    })
  })

  it('[K27] a worker that is stopped before it is connected does not start', async () => {
    const worker = scene.worker([square], { url: 'http://127.0.0.1:1' })
    const start = worker.start()
    const troubled = next(worker, 'error')
    await troubled
    const rejects = expect(start).rejects.toBeInstanceOf(WorkerError)
    await worker.stop()
    await rejects
  })

  it('[K28] a conflict found at a reconnect is told, and the worker serves again when it ends', async () => {
    const [one, other] = [heldExtension('Held'), heldExtension('Held', { type: 'object', title: 'Other' })]
    const worker = scene.worker([one.extension], { id: 'first' })
    await worker.start()
    await scene.leadWorkersNowhere()
    // The only worker with the old schema goes in its name, so that the new schema may come.
    const namesake = scene.worker([one.extension], { id: 'first', url: scene.serverUrl })
    await namesake.start()
    await namesake.stop()
    const rival = scene.worker([other.extension], { url: scene.serverUrl })
    await rival.start()

    const told = next(worker, 'error', (error) => error instanceof WorkerRefused)
    scene.leadWorkersHome()
    expect(await told).toMatchObject({ code: 'extension_schema_conflict' })
    const back = next(worker, 'connected')
    await rival.stop()
    await back
  })
})

describe('a credential that ends', () => {
  const newToken = () =>
    scene.ann.expect<{ id: string; token: string }>(201, 'POST', '/api/tokens', { room: 'lab' })

  it('[K28] a worker whose token was revoked asks for another, and its job carries on', async () => {
    const held = heldExtension('Held')
    let current = await newToken()
    const worker = scene.worker([held.extension], { token: () => current.token })
    await worker.start()
    const id = await scene.submit(held.extension, {})
    const { end } = await held.began()
    await scene.reaches(id, 'running')

    const told = next(worker, 'error', (error) => error instanceof WorkerRefused)
    await scene.ann.expect(204, 'DELETE', `/api/tokens/${current.id}`)
    expect(await told).toMatchObject({ problem: { status: 401 } })
    end('with a new token')
    const back = next(worker, 'connected')
    current = await newToken()
    expect(await back).toMatchObject({ resumed: 1 })
    expect(await scene.reaches(id, 'completed')).toMatchObject({ result: 'with a new token' })
  })
})

describe('a connection that breaks', () => {
  it('[K29] a job that runs carries on, and what it ends with meanwhile is told after the reconnect', async () => {
    const held = heldExtension('Held')
    const worker = scene.worker([held.extension], { slots: 2 })
    await worker.start()
    const [early, late] = [await scene.submit(held.extension, {}), await scene.submit(held.extension, {})]
    const jobs = new Map<string, (result: unknown) => void>()
    for (let n = 0; n < 2; n += 1) {
      const { job, end } = await held.began()
      jobs.set(job.id, end)
    }
    await Promise.all([scene.reaches(early, 'running'), scene.reaches(late, 'running')])
    const [gone, back] = [next(worker, 'disconnected'), next(worker, 'connected')]
    scene.proxy.cutAll()
    await gone
    jobs.get(early)?.('told late')
    expect(await back).toMatchObject({ resumed: 2, dropped: 0 })
    expect(await scene.reaches(early, 'completed')).toMatchObject({ result: 'told late' })
    jobs.get(late)?.('done')
    const job = await scene.reaches(late, 'completed')
    expect(job.attempts).toHaveLength(1)
  })

  it('[K1] a completion whose acknowledgement was lost is applied once', async () => {
    const held = heldExtension('Held')
    const worker = scene.worker([held.extension])
    await worker.start()
    const id = await scene.submit(held.extension, {})
    const { end } = await held.began()
    await scene.reaches(id, 'running')
    const back = next(worker, 'connected')
    // Frames of a client are masked, so the answer that is lost is whichever comes next: that to the completion.
    const broken = scene.proxy.breakAt('', { kind: 'lose-answer' })
    end('once')
    await broken
    const job = await scene.reaches(id, 'completed')
    expect(job).toMatchObject({ result: 'once', attempts: [{ outcome: 'completed' }] })
    await back
    await worker.stop()
  })

  it('[K29] a worker follows to another server that has the same store', async () => {
    const held = heldExtension('Held')
    const worker = scene.worker([held.extension])
    await worker.start()
    await scene.submit(held.extension, {})
    const { job, end } = await held.began()
    const back = next(worker, 'connected')
    await scene.restartServer()
    expect(await back).toMatchObject({ resumed: 1 })
    const completed = next(worker, 'completed')
    end('after all')
    expect(await completed).toMatchObject({ id: job.id })
  })
})

describe('a worker that stops', () => {
  it('[K18] serves no more, and ends when its jobs have', async () => {
    const held = heldExtension('Held')
    const worker = scene.worker([held.extension])
    await worker.start()
    const id = await scene.submit(held.extension, {})
    const { end } = await held.began()
    const stopped = worker.stop()
    end('in time')
    await stopped
    expect(await scene.reaches(id, 'completed')).toMatchObject({ result: 'in time' })
    const { extensions } = await scene.ann.expect<{ extensions: unknown[] }>(
      200,
      'GET',
      '/api/rooms/lab/extensions',
    )
    expect(extensions).toEqual([])
  })

  it('[K18] leaves to another worker what does not end in time, uncharged', async () => {
    const held = heldExtension('Held')
    const first = scene.worker([held.extension], { shutdownTimeoutMs: 1 })
    await first.start()
    const id = await scene.submit(held.extension, {})
    const { job } = await held.began()
    await scene.reaches(id, 'running')
    await first.stop()
    expect(job.signal.reason).toMatchObject({ why: 'stopping' })
    // The same id again with an empty memory: the server sees at once that the job is not with it any more.
    await scene.worker([held.extension], { id: 'worker-1' }).start()
    const again = await held.began()
    expect(again.job).toMatchObject({ id, attempt: 1 })
    again.end('second time')
    expect(await scene.reaches(id, 'completed')).toMatchObject({ charged: 0 })
  })
})
