import { chmod, writeFile } from 'node:fs/promises'
import type { JobView } from '@millrace/protocol'
import { createWorker } from '@millrace/worker'
import { afterEach, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { all, completes, fails, failsOnce, gateOf, module, throws, waits } from './ordinary-extensions.ts'
import { PoolScene } from './pool-scene.ts'

const scenes: PoolScene[] = []

afterEach(async () => {
  for (const scene of scenes.splice(0)) {
    await scene.close()
    expect(scene.faults).toEqual([])
  }
})

/** A job without what is different each time: ids, instants, durations, and where in the code it was thrown. */
function told(job: JobView, lines: readonly string[]): unknown {
  const { status, result, error, charged, attempts, data, progress, deadLetter, cancel } = job
  return {
    ...{ status, result, charged, data, progress, deadLetter, lines },
    error: error && { message: error.message, name: error.name },
    attempts: attempts.map(({ outcome }) => outcome),
    cancel: cancel && { by: cancel.by, stage: cancel.stage },
  }
}

/** Runs jobs that go every way there is, letting each go on when its step has been told. */
async function runAll(scene: PoolScene, gates: string): Promise<readonly string[]> {
  const open = (id: string, name: string | number): Promise<void> => writeFile(gateOf(gates, id, name), '')
  const ids: string[] = []
  const attempts = new Map(
    [completes, failsOnce, fails, throws].map((each, n) => [each, [1, 2, 1, 2][n] ?? 0]),
  )
  for (const [extension, times] of attempts) {
    const id = await scene.submit(extension, { gates })
    for (let attempt = 1; attempt <= times; attempt += 1) {
      await scene.reaches(id, (job) => job.status === 'running' && job.charged === attempt - 1)
      await open(id, attempt)
    }
    await scene.ended(id)
    ids.push(id)
  }
  const limited = await scene.submit(waits, { gates }, { runLimitMs: 1_500, maxAttempts: 1 })
  await scene.ended(limited)
  const cancelled = await scene.submit(waits, { gates })
  await scene.running(cancelled)
  await scene.line(cancelled, () => true)
  await scene.cancel(cancelled)
  await scene.reaches(cancelled, (job) => job.cancel?.stage === 'acknowledged')
  await open(cancelled, 'cancelled')
  await scene.ended(cancelled)
  return [...ids, limited, cancelled]
}

/** Everything that can be seen of them. */
async function flow(
  gates: string,
  start: (scene: PoolScene) => Promise<unknown>,
): Promise<readonly unknown[]> {
  // For the server no time passes: at its limit a job is ended by its worker, not by whoever of the two looked first.
  const openedAt = Date.now()
  const scene = await PoolScene.open(() => openedAt)
  scenes.push(scene)
  await start(scene)
  const ear = await scene.ear()
  const seen: unknown[] = []
  for (const id of await runAll(scene, gates)) {
    const history = (await scene.history(id)).map(({ status, reason, by }) => ({ status, reason, by }))
    const job = told(await scene.job(id), await scene.lines(id))
    seen.push({ job, history, path: ear.filter((event) => event.id === id).map(({ status }) => status) })
  }
  return seen
}

describe('a pool and any other worker', () => {
  it('[O1] leave the same histories, events, results and lines', async () => {
    const gates = await makeTempDir('gates')
    // The pool's runners are somebody else.
    await chmod(gates, 0o755)
    const common = { slots: 1, vitals: false, logger: false } as const
    const byClient = await flow(gates, async ({ url, root }) => {
      const worker = createWorker({ ...common, url, token: root.token ?? '', id: 'one', extensions: all })
      await worker.start()
    })
    const byPool = await flow(gates, (scene) =>
      scene.pool({ ...common, token: scene.root.token ?? '', id: 'one', extensions: { all, module } }),
    )
    expect(byClient).toHaveLength(6)
    expect(byPool).toEqual(byClient)
  })
})
