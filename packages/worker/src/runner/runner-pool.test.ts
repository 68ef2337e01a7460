import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { Extension } from '../extension/extension.ts'
import { Attempt } from '../job/attempt.ts'
import { sampleAssigned } from '../job/sample-assigned.ts'
import { reportOf, type Settled } from '../job/settled.ts'
import { JobAborted } from '../worker-error.ts'
import { RunnerPool } from './runner-pool.ts'
import { samples } from './sample-extensions.ts'

const module = new URL('./sample-main.ts', import.meta.url).href

class Scene {
  readonly said: unknown[] = []
  readonly pool: RunnerPool
  readonly #settled = new Map<Attempt, (settled: Settled) => void>()
  readonly #heard: (() => void)[] = []

  constructor(options: { module?: string; memoryMb?: number } = {}) {
    this.pool = new RunnerPool(
      Object.values(samples) as Extension[],
      { module, memoryMb: 256, ...options },
      {
        progress: (_ref, fraction, message) => this.#note({ fraction, message }),
        log: (_ref, text) => this.#note(text),
        hold: () => Promise.reject(new Error('nobody asks')),
      },
      (attempt, settled) => this.#settled.get(attempt)?.(settled),
    )
  }

  begin(extension: unknown, data: number): { attempt: Attempt; settled: Promise<Settled> } {
    const attempt = new Attempt(sampleAssigned(`${data}`, { data }), extension as Extension, 1, 0)
    const settled = new Promise<Settled>((resolve) => this.#settled.set(attempt, resolve))
    this.pool.run(attempt)
    return { attempt, settled }
  }

  run(extension: unknown, data: number): Promise<Settled> {
    return this.begin(extension, data).settled
  }

  async hears(text: string): Promise<void> {
    while (!this.said.includes(text)) await new Promise<void>((resolve) => this.#heard.push(resolve))
  }

  #note(said: unknown): void {
    this.said.push(said)
    for (const resolve of this.#heard.splice(0)) resolve()
  }
}

let scene: Scene | null = null

function open(options: { module?: string; memoryMb?: number } = {}): Scene {
  scene = new Scene(options)
  return scene
}

afterEach(async () => {
  await scene?.pool.close()
})

describe('a runner', () => {
  it('[K23] runs the handlers of the module in a process of its own, one job after the other', async () => {
    const { pool } = open()
    await pool.open()
    const first = await scene!.run(samples.square, 3)
    const second = await scene!.run(samples.square, 4)
    expect(first).toMatchObject({ how: 'returned', value: { square: 9 } })
    expect(second).toMatchObject({ how: 'returned', value: { square: 16 } })
    const [one, two] = [first, second].map((settled) => (settled as { value: { pid: number } }).value.pid)
    expect(one).toBe(two)
    expect(one).not.toBe(process.pid)
    expect(scene!.said).toContainEqual({ fraction: 0.5, message: 'half' })
    expect(scene!.said).toContain('the square of 3')
  })

  it('[K23] passes on every outcome', async () => {
    open()
    const report = async (extension: unknown) =>
      reportOf({ room: 'lab', job: 'a', token: 't' }, await scene!.run(extension, 2), null, false)
    expect(await report(samples.failing)).toMatchObject({
      event: 'job:failed',
      entry: { error: { message: '2 is too many' }, retryable: false },
    })
    expect(await report(samples.rejecting)).toMatchObject({
      event: 'job:rejected',
      entry: { reason: 'not today' },
    })
    expect(await report(samples.throwing)).toMatchObject({
      event: 'job:failed',
      entry: { error: { message: 'out of range', name: 'RangeError' }, retryable: true },
    })
    expect(await report(samples.unwritable)).toMatchObject({
      event: 'job:failed',
      entry: { retryable: false },
    })
  })

  it('[K24] that ends fails its job with how it ended, and the next job gets another', async () => {
    open()
    expect(await scene!.run(samples.exiting, 7)).toEqual({
      how: 'exited',
      message: 'The runner exited with code 7.',
    })
    expect(await scene!.run(samples.square, 2)).toMatchObject({ value: { square: 4 } })
  })

  it('[O5] that needs more memory than it may have ends', async () => {
    open({ memoryMb: 40 })
    expect(await scene!.run(samples.hungry, 0)).toEqual({
      how: 'exited',
      message: 'runner_out_of_memory: the job took more memory than the 40 MB it may have.',
      name: 'RunnerOutOfMemory',
    })
  })

  it('[K25] is told when its job is aborted', async () => {
    open()
    const { attempt, settled } = scene!.begin(samples.obedient, 1)
    await scene!.hears('waiting')
    attempt.abort(new JobAborted('cancelled', 'The job was cancelled.'))
    scene!.pool.abort(attempt)
    expect(await settled).toMatchObject({
      how: 'threw',
      error: { name: 'JobAborted', message: 'The job was cancelled.' },
    })
  })

  it('[K25] that is killed takes everything with it that it started', async () => {
    open()
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { attempt, settled } = scene!.begin(samples.stubborn, port)
    const [child] = (await once(server, 'connection')) as [Socket]
    // A killed process resets its connection; either way it is over.
    child.on('error', () => undefined)
    const gone = once(child, 'close')
    child.resume()
    expect(scene!.pool.kill(attempt)).toBe(true)
    expect(await settled).toEqual({ how: 'killed' })
    await gone
    server.close()
  })

  it('[K26] a module that cannot be imported is found out before the first job', async () => {
    const missing = fileURLToPath(new URL('./no-such-module.ts', import.meta.url))
    await expect(open({ module: missing }).pool.open()).rejects.toThrow(/could not import .*no-such-module/)
  })

  it('[K26] a module that does not define the extensions is found out before the first job', async () => {
    const other = new URL('./in-runner.ts', import.meta.url).href
    await expect(open({ module: other }).pool.open()).rejects.toThrow(/does not define samples\/Square/)
  })
})
