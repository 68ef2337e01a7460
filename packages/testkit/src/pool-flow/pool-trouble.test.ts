import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChild } from '../process/child-process.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { isRunning, marked, noneOf, poolMark, written } from './marked-processes.ts'
import { PoolScene } from './pool-scene.ts'
import {
  childEats,
  deaf,
  eatsBuffers,
  eatsHeap,
  exits,
  hides,
  ignoring,
  litters,
  littersAndBlocks,
  littersLate,
  rejects,
  waits,
  where,
  writes,
} from './trouble-extensions.ts'

let scene: PoolScene

beforeAll(async () => {
  scene = await PoolScene.open()
})

afterEach(async () => {
  await scene.stopPools()
  expect(scene.faults).toEqual([])
})

afterAll(() => scene.close())

const pidsIn = (lines: readonly string[]): readonly number[] =>
  lines.flatMap((line) => (line.startsWith('left ') ? line.slice(5).split(' ').map(Number) : []))

/** The pool works on, and of what it ran nothing is left but runners that wait. */
async function expectSurvival(mark: string): Promise<void> {
  const { pid } = await scene.runnerOf()
  expect(marked(mark)).toContain(pid)
  await noneOf(() => marked(mark).slice(2))
}

describe('a job that will not stop', () => {
  let mark: string

  beforeEach(async () => {
    await scene.pool()
    mark = poolMark((await scene.runnerOf()).mark)
  })

  it.each([deaf, ignoring])('[O2] $name is killed at its run limit, and fails by it', async (extension) => {
    const job = await scene.run(extension, {}, { runLimitMs: 300, cancelGraceMs: 50 })
    expect(job.status).toBe('failed')
    // Whoever came first, the pool or the server, which then has it killed.
    expect(job.error?.message).toContain('300 ms')
    await expectSurvival(mark)
  })

  it.each([deaf, ignoring])('[O2] $name is killed after a cancel', async (extension) => {
    const id = await scene.submit(extension, {}, { cancelGraceMs: 2_000 })
    await scene.line(id, () => true)
    await scene.cancel(id)
    expect(await scene.ended(id)).toMatchObject({ status: 'cancelled' })
    await expectSurvival(mark)
  })

  it('[O3] takes everything along that it has started, also in sessions and environments of its own', async () => {
    const id = await scene.submit(littersAndBlocks, {}, { cancelGraceMs: 50 })
    // A limit might pass before it has started anything.
    await scene.line(id, (line) => line.startsWith('left '))
    await scene.cancel(id)
    expect(await scene.ended(id)).toMatchObject({ status: 'cancelled' })
    const pids = pidsIn(await scene.lines(id))
    expect(pids).toHaveLength(2)
    await noneOf(() => pids.filter(isRunning))
    await expectSurvival(mark)
  })
})

describe('a job that leaves something behind', () => {
  it.each([litters, hides])('[O3] $name completes, and what it left ends with it', async (extension) => {
    await scene.pool({ slots: 1 })
    const before = await scene.runnerOf()
    const job = await scene.run(extension)
    expect(job.status).toBe('completed')
    const pids = pidsIn(await scene.lines(job.id))
    expect(pids).toHaveLength(1)
    expect(pids.filter(isRunning)).toEqual([])
    expect(await scene.runnerOf()).toEqual(before)
  })

  it('[O13] what comes after the end of its job is found by the next sweep', async () => {
    await scene.pool({ slots: 1, sweepMs: 50, user: null })
    const file = join(await makeTempDir('litter'), 'pid')
    expect(await scene.run(littersLate, { file })).toMatchObject({ status: 'completed' })
    const pid = Number(await written(file))
    await noneOf(() => [pid].filter(isRunning))
  })
})

describe('a job that takes too much memory', () => {
  it.each([eatsHeap, eatsBuffers, childEats])('[O5] $name fails with the limit', async (extension) => {
    await scene.pool()
    const mark = poolMark((await scene.runnerOf()).mark)
    const job = await scene.run(extension)
    expect(job).toMatchObject({
      status: 'failed',
      error: {
        name: 'RunnerOutOfMemory',
        message: 'runner_out_of_memory: the job took more memory than the 96 MB it may have.',
      },
    })
    await expectSurvival(mark)
  })
})

describe('a job that ends its runner', () => {
  it('[O9] by process.exit fails with the code, and the next has another runner', async () => {
    await scene.pool({ slots: 1 })
    const { pid } = await scene.runnerOf()
    const job = await scene.run(exits)
    expect(job).toMatchObject({ status: 'failed', error: { message: 'The runner exited with code 3.' } })
    expect((await scene.runnerOf()).pid).not.toBe(pid)
  })

  it('[O9] by a rejection that nobody catches fails with what was thrown', async () => {
    await scene.pool({ slots: 1 })
    const job = await scene.run(rejects)
    expect(job.error).toMatchObject({
      name: 'RangeError',
      message: 'A promise was rejected and nobody caught it: out of reach',
    })
    expect((await scene.run(where)).status).toBe('completed')
  })

  it('[O9] a runner that dies without a job is replaced', async () => {
    await scene.pool({ slots: 1 })
    const { pid } = await scene.runnerOf()
    process.kill(pid, 'SIGKILL')
    await noneOf(() => [pid].filter(isRunning))
    expect((await scene.runnerOf()).pid).not.toBe(pid)
  })
})

describe('a runner that has nothing to do', () => {
  it('[O12] ends after a while, but one stays for the next job', async () => {
    await scene.pool({ sweepMs: 50, runnerIdleMs: 100 })
    const waiting = await scene.submit(waits, {}, { cancelGraceMs: 10_000 })
    await scene.line(waiting, () => true)
    const mark = poolMark((await scene.runnerOf()).mark)
    expect(marked(mark).length).toBeGreaterThanOrEqual(2)
    await scene.cancel(waiting)
    expect(await scene.ended(waiting)).toMatchObject({ status: 'cancelled', cancel: { stage: 'stopped' } })
    await noneOf(() => marked(mark).slice(1))
    expect(marked(mark)).toContain((await scene.runnerOf()).pid)
  })
})

describe('what a job writes', () => {
  it('[O7] to its streams stands in its log, before its end, and nowhere else', async () => {
    await scene.pool()
    const job = await scene.run(writes, { lines: 3 })
    expect(job.result).toBe('written')
    const lines = await scene.lines(job.id)
    expect(lines.map((line) => line.replace(/ \.+$/, ''))).toEqual([
      ...['line 1', 'line 2', 'line 3'],
      'and an end without a line break',
    ])
  })

  it('[O8] by megabytes does no harm: the newest is kept, and how much was left out is said', async () => {
    await scene.pool()
    const mark = poolMark((await scene.runnerOf()).mark)
    const job = await scene.run(writes, { lines: 100_000 })
    expect(job).toMatchObject({ status: 'completed', result: 'written' })
    const lines = await scene.lines(job.id)
    expect(lines.at(-1)).toBe('and an end without a line break')
    expect(lines.at(-2)).toMatch(/^line 100000 /)
    expect(
      lines.some((line) => /^… \d+ lines of output \(\d+ characters\) were left out …$/.test(line)),
    ).toBe(true)
    await expectSurvival(mark)
  })
})

describe('a pool that ends', () => {
  it('[O19] is stopped by itself alone: a runner that is told to end goes on', async () => {
    await scene.pool({ slots: 1 })
    const before = await scene.runnerOf()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(before.pid, signal)
    expect(await scene.runnerOf()).toEqual(before)
  })

  it('[O11] leaves nothing running when it is stopped, whatever its jobs do', async () => {
    const pool = await scene.pool()
    const mark = poolMark((await scene.runnerOf()).mark)
    const id = await scene.submit(littersAndBlocks)
    await scene.line(id, (line) => line.startsWith('left '))
    await pool.stop()
    expect(marked(mark)).toEqual([])
    expect(pidsIn(await scene.lines(id)).filter(isRunning)).toEqual([])
  })

  it('[O10] leaves nothing running when it is killed, also what blocks and what hid', async () => {
    const main = fileURLToPath(new URL('./pool-main.ts', import.meta.url))
    const child = startChild(process.execPath, [main, scene.url, await scene.poolToken()])
    await child.line((line) => line === 'ready')
    const mark = poolMark((await scene.runnerOf()).mark)
    const jobs = [await scene.submit(deaf), await scene.submit(ignoring), await scene.submit(hides)]
    for (const id of jobs) await scene.line(id, () => true)
    expect(marked(mark).length).toBeGreaterThanOrEqual(3)
    await child.kill()
    await noneOf(() => marked(mark))
  })
})
