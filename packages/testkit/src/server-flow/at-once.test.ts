import type { WorkerId } from '@millrace/domain'
import { openSqliteStore, type RunningServer, type Store, StoreUnavailable } from '@millrace/server'
import { expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { startTestServer } from '../server/test-server.ts'
import { FlowScene } from './flow-scene.ts'

/** A store whose next commit with a job in it does something first. */
class Meddler {
  before: (() => Promise<void>) | null = null
  readonly store: Store

  constructor(real: Store) {
    this.store = {
      now: () => real.now(),
      read: (partition, keys) => real.read(partition, keys),
      list: (query) => real.list(query),
      queues: (partition) => real.queues(partition),
      counters: (partition) => real.counters(partition),
      commit: async (change) => {
        const { before } = this
        if (before && change.put?.some(({ key, attempt }) => key.startsWith('job/') && attempt)) {
          this.before = null
          await before()
        }
        return real.commit(change)
      },
      claim: (claim) => real.claim(claim),
      due: (now, limit) => real.due(now, limit),
      feed: (from) => real.feed(from),
      describe: () => real.describe(),
      close: () => real.close(),
    }
  }
}

type Parts = RunningServer['parts']
type Channel = NonNullable<ReturnType<Parts['roster']['get']>>['channel']

async function withMeddler(
  run: (meddler: Meddler, scene: FlowScene, parts: Parts) => Promise<void>,
): Promise<void> {
  const real = await openSqliteStore({ file: `${await makeTempDir('at-once')}/store.db` })
  const meddler = new Meddler(real)
  const server = await startTestServer(meddler.store)
  const root = await server.as('root', 'admin')
  const scene = new FlowScene(server.url, root.token ?? '')
  try {
    await run(meddler, scene, server.running.parts)
    expect(server.faults).toEqual([])
  } finally {
    await scene.close()
    await server.close()
    await real.close()
  }
}

it('[M69] a job that nobody was there to take when its submit was committed goes to another worker', () =>
  withMeddler(async (_meddler, scene, { roster, store }) => {
    const room = await scene.newRoom()
    const first = await scene.worker([{ room }])
    const stationed = roster.get(first.id as WorkerId)
    if (!stationed) throw new Error('the worker is not stationed here')
    const shut: Channel & { isOpen: boolean } = {
      ahead: 0,
      isOpen: true,
      ready: () => (shut.isOpen ? 1 : 0),
      assign: (jobs) => {
        shut.isOpen = false
        return jobs
      },
      stop: () => undefined,
      close: () => undefined,
    }
    roster.station(stationed.record, stationed.version, shut, store.now())
    const id = await scene.submit(room)
    expect(shut.isOpen).toBe(false)
    const second = await scene.worker([{ room }])
    expect(await second.assigned.next()).toMatchObject({ id, charged: 0 })
    const statuses = (await scene.history(room, id)).map(({ status }) => status)
    expect(statuses).toEqual(['pending', 'assigned', 'pending', 'assigned'])
  }))

it('[M69] a submit that the store fails leaves its slot to the next', () =>
  withMeddler(async (meddler, scene) => {
    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }])
    meddler.before = async () => {
      throw new StoreUnavailable('the store is away')
    }
    const body = { category: 'modifiers', extension: 'Relax', data: {} }
    await scene.admin.refused(503, 'POST', `/api/rooms/${room}/jobs`, body)
    const next = await scene.submit(room)
    expect((await worker.assigned.next()).id).toBe(next)
  }))
