import { builtinExtensions, builtinsModule, type Figure } from '@millrace/extensions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PoolScene } from './pool-scene.ts'

let scene: PoolScene

beforeAll(async () => {
  scene = await PoolScene.open()
})

afterAll(async () => {
  await scene.close()
  expect(scene.faults).toEqual([])
})

const builtins = { all: builtinExtensions, module: builtinsModule }
const analysis = (name: string) => ({ category: 'analysis', name })

describe('the built-in extensions', () => {
  it('[O16] are served by a pool with a token of its own, with defaults for everything', async () => {
    const pool = await scene.pool({ extensions: builtins, runnerMemoryMb: 256 })
    expect(builtinExtensions).toHaveLength(3)
    const job = await scene.run(analysis('Histogram'))
    expect(job).toMatchObject({ status: 'completed', scope: 'builtin', worker: pool.id, data: { bins: 0 } })
    const { figure } = job.result as { figure: Figure }
    expect(figure.kind).toBe('bar')

    const pi = await scene.run(analysis('MonteCarloPi'), { samples: 100_000 })
    expect((pi.result as { estimate: number }).estimate).toBeCloseTo(Math.PI, 1)

    // Long enough for a runner that does not get its turn for a while.
    const patient = { cancelGraceMs: 60_000 }
    const long = await scene.submit(analysis('LorenzAttractor'), { steps: 20_000_000_000 }, patient)
    await scene.running(long)
    await scene.cancel(long)
    expect(await scene.ended(long)).toMatchObject({ status: 'cancelled', cancel: { stage: 'stopped' } })
  })
})
