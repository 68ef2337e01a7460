import { fileURLToPath } from 'node:url'
import { nodeFlags } from '@millrace/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ChildLines, startChild } from '../process/child-process.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'

const patientMain = fileURLToPath(new URL('../worker-flow/patient-main.ts', import.meta.url))
const outageMs = 18_000

let redis: RedisProcess
let servers: ServerProcess[]
let scenes: FlowScene[]

beforeEach(async () => {
  redis = await RedisProcess.start({ appendfsync: 'always' })
  const place = ['--redis', `redis://${redis.host}:${redis.port}`, '--poll-interval-ms', '200']
  const args = ['--data-dir', await makeTempDir('outage'), ...place]
  servers = [await startServerProcess(args), await startServerProcess(args)]
  scenes = servers.map(({ url, admin }) => new FlowScene(url, admin.token ?? ''))
})
afterEach(async () => {
  for (const scene of scenes) await scene.close()
  for (const { child } of servers) await child.kill()
  await redis.stop()
})

/** Its job ends when the process is sent SIGUSR2. */
function startPatient({ url, admin }: FlowScene): ChildLines {
  return startChild(process.execPath, [...nodeFlags, patientMain, url, admin.token ?? ''])
}

async function untilReady(scene: FlowScene, status: number): Promise<unknown> {
  for (;;) {
    const answer = await scene.admin.call('GET', '/health/ready')
    if (answer.status === status) return answer.body
  }
}

const outages = [
  ['killed and started again', () => redis.kill(), () => redis.restart()],
  ['stopped and continued', async () => redis.signal('SIGSTOP'), async () => redis.signal('SIGCONT')],
] as const

describe('two servers whose Redis goes away for longer than a lease', () => {
  it.each(outages)(
    '[M107] %s: they refuse and wait, and go on by themselves; nobody loses what they have',
    async (_how, leave, back) => {
      const [one, other] = scenes as [FlowScene, FlowScene]
      await one.admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
      const patient = startPatient(one)
      await patient.line((line) => line.includes('serves modifiers/Patient'))
      const ends = await one.submit('lab', {}, { extension: 'Patient' })
      await patient.line((line) => line === 'began')
      const ledger = await one.ledger()
      const holder = await other.process({
        ledger: ledger.file,
        extensions: [{ room: 'lab', category: 'modifiers', name: 'Hold' }],
      })
      const held = await other.submit('lab', { do: 'hold' }, { extension: 'Hold' })
      await holder.line((line) => line === `holds ${held}`)
      const slow = await other.worker([{ room: 'lab', policy: { job: { acceptMs: 5_000 } } }])
      const assigned = await one.submit('lab')
      const job = await slow.assigned.next()

      await leave()
      const leftAt = performance.now()
      // Whether a Redis that was stopped took it nobody can know; under its key it is one job.
      const again = { idempotencyKey: 'once' }
      const body = { category: 'modifiers', extension: 'Relax', data: {}, ...again }
      // Its worker goes on meanwhile; what it has to say waits.
      process.kill(patient.pid, 'SIGUSR2')
      while (performance.now() - leftAt < outageMs) {
        for (const scene of scenes) {
          const refused = await scene.admin.call('POST', '/api/rooms/lab/jobs', body)
          expect(refused).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
          expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
          expect(await untilReady(scene, 503)).toMatchObject({ reason: expect.stringContaining('the store') })
          await scene.admin.expect(200, 'GET', '/health/live')
        }
      }
      await back()

      for (const scene of scenes) await untilReady(scene, 200)
      // Its time to accept is long over, but nobody could have told of it.
      expect(await slow.started(job)).toBe('running')
      expect(await slow.completed(job, { late: false })).toBe('completed')
      while ((await one.job('lab', ends)).status !== 'completed');
      const next = await one.submit('lab', {}, again)
      expect((await slow.assigned.next()).id).toBe(next)
      for (const id of [ends, held, assigned]) {
        const { attempts, charged } = await other.job('lab', id)
        expect({ charged, attempts: attempts.length }).toEqual({ charged: 0, attempts: 1 })
      }
      expect((await one.job('lab', ends)).result).toBe('patience')
      expect((await one.job('lab', held)).status).toBe('running')
      expect(ledger.jobs()).toEqual([held])
    },
    180_000,
  )
})
