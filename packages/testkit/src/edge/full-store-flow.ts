// A store that runs out of room under a server with work in it: new jobs are refused, what is there is finished, and when
// there is room again all goes on by itself. Run on each store by the test files beside it.

import type { AssignedJob, Submitted } from '@millrace/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import type { ApiAnswer } from '../server/api-client.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import type { RawWorker } from '../server-flow/worker/raw-worker.ts'

export interface StoreRoom {
  /** How the server is told of the store. */
  readonly place: readonly string[]
  /** From now on there is room for a few megabytes more, and then for nothing new. */
  take(server: ServerProcess): Promise<void>
  giveBack(server: ServerProcess): Promise<void>
}

const slots = 20
const waiting = 20
const data = { text: 'x'.repeat(20_000) }

export function describeFullStore(name: string, room: () => Promise<StoreRoom>): void {
  describe(`a server on ${name} without room`, () => {
    let server: ServerProcess
    let scene: FlowScene
    let store: StoreRoom
    beforeAll(async () => {
      store = await room()
      server = await startServerProcess(['--data-dir', await makeTempDir('full'), ...store.place])
      scene = new FlowScene(server.url, server.admin.token ?? '')
    })
    afterAll(async () => {
      await scene?.close()
      await server?.child.kill()
    })

    it('[M123] refuses new jobs, finishes what it has, loses nothing, and takes new ones when there is room', {
      timeout: 120_000,
    }, async () => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots })
      const acknowledged: string[] = []
      for (let count = 0; count < slots + waiting; count += 1)
        acknowledged.push(await scene.submit(room, data))
      const running = await worker.assigned.take(slots)
      for (const job of running) await worker.started(job)

      await store.take(server)
      acknowledged.push(...(await fill(scene, room)))
      await finish(scene, room, worker, running)
      const [last = ''] = acknowledged.slice(-1)
      expect((await scene.job(room, last)).id).toBe(last)

      await store.giveBack(server)
      await expect.poll(() => submit(scene, room), { timeout: 20_000 }).toMatchObject({ status: 201 })
      worker.work()
      await allCompleted(scene, room, acknowledged)
      expect(server.child.lines.filter(isFault)).toEqual([])
    })
  })
}

/** That the store could not write something is no fault of the server's. */
function isFault(line: string): boolean {
  return line.includes('"msg":"fault: ') && !line.includes('StoreUnavailable')
}

function submit({ admin }: FlowScene, room: string): Promise<ApiAnswer<Submitted & { code: string }>> {
  const body = { category: 'modifiers', extension: 'Relax', data }
  return admin.call('POST', `/api/rooms/${room}/jobs`, body)
}

/** Until there is no room; answers what was taken in. What meets the end of the room in flight may be told otherwise. */
async function fill(scene: FlowScene, room: string): Promise<string[]> {
  const acknowledged: string[] = []
  let answer = await submit(scene, room)
  while (answer.status === 201 || answer.body.code === 'store_unavailable') {
    if (answer.status === 201) acknowledged.push(answer.body.id)
    answer = await submit(scene, room)
  }
  expect([answer.status, answer.body.code]).toEqual([503, 'store_full'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  return acknowledged
}

/** Slots come free, so that it is given what waits: claims, reports and reads go on. */
async function finish(
  scene: FlowScene,
  room: string,
  worker: RawWorker,
  running: readonly AssignedJob[],
): Promise<void> {
  const complete = async (job: AssignedJob): Promise<void> =>
    expect(await insisting(() => worker.completed(job, { done: true }))).toBe('completed')
  for (const job of running) await complete(job)
  for (let count = 0; count < waiting; count += 1) await complete(await worker.assigned.next())
  for (const { id } of running) expect((await scene.job(room, id)).status).toBe('completed')
  await scene.admin.get(`/api/rooms/${room}/jobs?limit=5`)
}

/** As a worker's outbox does: what was not written is told again. */
async function insisting(report: () => Promise<string>): Promise<string> {
  for (;;) {
    const answered = await report()
    if (answered !== 'store_unavailable') return answered
  }
}

async function allCompleted(scene: FlowScene, room: string, jobs: readonly string[]): Promise<void> {
  const open = new Set(jobs)
  const left = async (): Promise<number> => {
    for (const id of open) {
      if ((await scene.job(room, id)).status !== 'completed') return open.size
      open.delete(id)
    }
    return 0
  }
  await expect.poll(left, { timeout: 60_000, interval: 200 }).toBe(0)
}
