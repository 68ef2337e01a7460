import { writeFileSync } from 'node:fs'
import { jobOfRecord, openRedisStore, type Store } from '@millrace/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChildLines } from '../process/child-process.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from './flow-scene.ts'

let redis: RedisProcess
let servers: ServerProcess[]
let scenes: FlowScene[]
let store: Store

beforeEach(async () => {
  redis = await RedisProcess.start()
  const place = ['--redis', `redis://${redis.host}:${redis.port}`, '--poll-interval-ms', '200']
  const args = ['--data-dir', await makeTempDir('deaf'), ...place]
  servers = [await startServerProcess(args), await startServerProcess(args)]
  scenes = servers.map(({ url, admin }) => new FlowScene(url, admin.token ?? ''))
  store = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }] })
})
afterEach(async () => {
  await store.close()
  for (const scene of scenes) await scene.close()
  for (const { child } of servers) await child.kill()
  await redis.stop()
})

interface Deafness {
  readonly data: (file: string) => object
  readonly deafen: (worker: ChildLines) => void
  readonly wake: (worker: ChildLines, file: string) => void
}

const kinds: readonly (readonly [string, Deafness])[] = [
  [
    'was stopped by a signal',
    {
      data: (until) => ({ do: 'wait', until }),
      deafen: ({ pid }) => process.kill(pid, 'SIGSTOP'),
      wake: ({ pid }, file) => {
        writeFileSync(file, '')
        process.kill(pid, 'SIGCONT')
      },
    },
  ],
  [
    'keeps its event loop from turning',
    {
      data: (until) => ({ do: 'block', until }),
      deafen: () => undefined,
      wake: (_worker, file) => writeFileSync(file, ''),
    },
  ],
]

describe('a worker that is deaf, its socket open', () => {
  it.each(kinds)(
    '[M114] that %s loses its lease and its job, and nothing it says late counts',
    async (_kind, deafness) => {
      const [one, other] = scenes as [FlowScene, FlowScene]
      const room = await one.newRoom()
      const ledger = await one.ledger()
      const file = `${ledger.file}-wake`
      const extensions = [{ room, category: 'modifiers', name: 'Relax' }]
      const deaf = await one.process({ ledger: ledger.file, id: 'deaf', extensions })
      const id = await one.submit(room, deafness.data(file))
      await deaf.line((line) => line === `waits ${id}`)
      while ((await one.job(room, id)).status === 'pending');
      const [record] = await store.read(room, [`job/${id}`])
      const token = record ? jobOfRecord(record).attempt?.token : undefined
      const attempt = { job: id, token }
      const locks = ['trajectory', 'frames'].map((target) => `/api/rooms/${room}/locks/${target}/acquire`)
      // Through both, because either may be the one that finds its lease over.
      for (const [at, lock] of locks.entries())
        await scenes[at]!.admin.expect(200, 'POST', lock, { attempt, ttlMs: 300_000 })
      deafness.deafen(deaf)

      const rescuer = await other.worker([{ room }])
      const job = await rescuer.assigned.next()
      expect(job).toMatchObject({ id, charged: 0 })
      expect(await one.admin.get('/api/workers/deaf')).toMatchObject({ presence: 'lost' })
      await rescuer.started(job)
      // What it held is free for whoever goes on with the job.
      const next = { attempt: { job: id, token: job.token }, ttlMs: 60_000 }
      for (const lock of locks)
        for (let status = 423; status !== 200; ) status = (await other.admin.call('POST', lock, next)).status

      deafness.wake(deaf, file)
      const status = `/api/rooms/${room}/jobs/${id}/status`
      for (const late of [
        { token, status: 'running', progress: 0.9 },
        { token, status: 'completed', result: { late: true } },
        { token, status: 'failed', error: { message: 'late' } },
      ])
        expect((await one.admin.refused(409, 'PUT', status, late)).code).toBe('attempt_superseded')
      for (const lock of locks) {
        const refused = await one.admin.refused(409, 'POST', lock, { attempt, ttlMs: 1_000 })
        expect(refused.code).toBe('attempt_superseded')
      }
      // It comes back as a worker like any other, without the job.
      while ((await other.admin.get<{ presence: string }>('/api/workers/deaf')).presence !== 'connected');
      expect((await one.job(room, id)).status).toBe('running')
      expect(await rescuer.completed(job, { late: false })).toBe('completed')
      expect(await one.job(room, id)).toMatchObject({
        result: { late: false },
        attempts: [{ worker: 'deaf', outcome: 'worker_lost' }, { worker: rescuer.id }],
      })
    },
    180_000,
  )
})
