// Following a job from the command line: what is told, in which order, and what the exit code says.

import type { JobView } from '@millrace/protocol'
import { expect } from 'vitest'
import { tell } from '../server-flow/checked-client.ts'
import type { AttemptName, RawWorker } from '../server-flow/worker/raw-worker.ts'
import { refOf, registrationOf } from '../server-flow/worker/raw-worker.ts'
import type { NounCase, NounScene } from './noun-scene.ts'

interface Told {
  readonly event: string
  readonly [key: string]: unknown
}

const recordsOf = (out: string): readonly Told[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told)

const submit = ['submit', 'Relax', '--follow']

export const followCases: readonly NounCase[] = [
  {
    title: '[N17] a job that completes ends the command with 0 and its result, alone on stdout',
    run: async (scene) => {
      const { worker, env } = await scene.lab()
      const command = scene.start([...submit, '--set', 'steps=5'], env)
      const job = await worker.assigned.next()
      expect(job.data).toEqual({ steps: 5 })
      await worker.started(job)
      await worker.log(job, 'a first line', 'a second \u001b[31mline\u001b[0m')
      await worker.progress(job, 0.5, 'half of it')
      await command.said('50 % half of it')
      // Progress is heard apart from the state, and may come before anybody looked at that.
      await command.said('running on')
      await worker.completed(job, { energy: -1.5 })
      const { code, out, err } = await command.ended
      expect(code).toBe(0)
      expect(JSON.parse(out)).toEqual({ energy: -1.5 })
      // Lines and progress are heard apart; only lines keep their order among themselves.
      expect(err).toMatch(/^ {2}a first line\n(?:.*\n)*? {2}a second line\n/m)
      expect(err).toMatch(/completed in .* \(waited .*\)\n$/)
      expect(err).not.toContain('\u001b')
    },
  },
  {
    title: '[N17] a job that fails ends it with 1 and its error, and says how to try again',
    run: async (scene) => {
      const { worker, env } = await scene.lab()
      const command = scene.start(submit, env)
      const job = await worker.assigned.next()
      await worker.failed(job, 'it never will', false)
      const { code, out, err } = await command.ended
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(
        /failed in .*: it never will\n {2}Look at it: millrace jobs get .*\n {2}Retry it: millrace jobs retry/,
      )
    },
  },
  {
    title: '[N102] the name of an error is told where a job failed, and by why, with where to look',
    run: async (scene) => {
      const { worker, env } = await scene.lab()
      const command = scene.start(submit, env)
      const job = await worker.assigned.next()
      await failWithType(worker, job, false)
      const short = job.id.slice(-8)
      expect((await command.ended).err).toMatch(
        new RegExp(`failed in .*: TypeError: no mass\\n {2}Look at it: millrace jobs get ${short}\\n`),
      )
      const why = await scene.says(['why', job.id], env)
      expect(why).toMatch(/^error +TypeError: no mass$/m)
      expect(why).toMatch(new RegExp(`^next +look at it: millrace jobs get ${short}$`, 'm'))
      expect(await scene.json(['why', job.id], env)).toMatchObject({ error: { name: 'TypeError' } })
    },
  },
  {
    title: '[N101] while it waits it is told what its last try failed with, and how a busy machine takes it',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const command = scene.start(submit, env)
      const job = await worker.assigned.next()
      // Its backoff may be nothing at all: only while it is held does it surely wait until somebody looks.
      await scene.admin.expect(200, 'POST', `/api/rooms/${room}/extensions/room/modifiers/Relax/pause`)
      await failWithType(worker, job, true)
      await command.said('Last try: TypeError: no mass')
      command.interrupt()
      await command.ended

      const id = scene.newName('puller')
      const registration = registrationOf({ id }, [{ room, name: 'Busy' }])
      const register = () => scene.admin.expect(200, 'POST', '/api/workers/register', registration)
      await register()
      const waits = scene.start(['submit', 'Busy', '--follow'], env)
      await waits.said('pending')
      // Its lease may have ended while the command started.
      await register()
      const beat = { running: [], free: 1, vitals: { memoryUsed: 0.5, load: 17.9, cores: 2 } }
      await scene.admin.expect(200, 'POST', `/api/workers/${id}/beat`, beat)
      await waits.said('load 17.9 on 2 cores')
      await waits.said('--however-busy')
      waits.interrupt()
      await waits.ended
    },
  },
  {
    title: '[N17] a job that is cancelled ends it with 5 and says by whom',
    run: async (scene) => {
      const { room, env } = await scene.lab()
      const busy = await scene.submit(room, { steps: 1 })
      const command = scene.start(submit, env)
      await command.said('pending')
      const { jobs } = await scene.json<{ jobs: JobView[] }>(['jobs', 'ls'], env)
      const id = jobs.find((job) => job.id !== busy)?.id ?? ''
      expect(await scene.says(['jobs', 'cancel', id.slice(-8)], env)).toContain('is cancelled')
      const { code, err } = await command.ended
      expect(code).toBe(5)
      expect(err).toContain('cancelled by root')
    },
  },
  {
    title: '[N21] while it waits it is told why, and how many are ahead',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      await scene.submit(room)
      await worker.assigned.next()
      await scene.submitMany(room, 2)
      const command = scene.start(submit, env)
      await command.said('pending: All workers for it are busy (slots). (2 ahead')
      command.interrupt()
      await command.ended
    },
  },
  {
    title: '[N18] with --json every state, progress and line is one JSON text, in order and once',
    run: followsInJson,
  },
  {
    title: '[N18] a job that has begun, or ended, is caught up with',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      await worker.log(job, 'one', 'two')
      const command = scene.start(['jobs', 'follow', id, '--json'], env)
      await command.said('"two"')
      await worker.log(job, 'three')
      await command.said('"three"')
      await worker.completed(job, 1)
      const first = recordsOf((await command.ended).out)
      const again = recordsOf(await scene.says(['jobs', 'follow', id, '--json'], env))
      for (const told of [first, again]) {
        expect(told.filter(({ event }) => event === 'log').map(({ text }) => text)).toEqual([
          'one',
          'two',
          'three',
        ])
        expect(told.at(-1)).toMatchObject({ event: 'ended', job: { id, status: 'completed', result: 1 } })
      }
    },
  },
  {
    title: '[N20] Ctrl-C lets go of the job, which goes on, and says how to follow or cancel it',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const command = scene.start(submit, env)
      const job = await worker.assigned.next()
      await worker.started(job)
      await command.said('running on')
      command.interrupt()
      const { code, out, err } = await command.ended
      expect({ code, out }).toEqual({ code: 130, out: '' })
      const short = job.id.slice(-8)
      expect(err).toMatch(
        new RegExp(`goes on.\\n.*millrace jobs follow ${short}\\n.*millrace jobs cancel ${short}\\n$`),
      )
      expect((await scene.job(room, job.id)).status).toBe('running')
    },
  },
  {
    title: '[N24] an ended job is tried again as another, which is followed',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const id = await scene.submit(room, { steps: 3 })
      const job = await worker.assigned.next()
      expect(await worker.failed(job, 'not today', false)).toBe('failed')
      const command = scene.start(['jobs', 'retry', id.slice(-10), '--follow', '--json'], env)
      const again = await worker.assigned.next()
      expect(again.data).toEqual({ steps: 3 })
      await worker.completed(again, 'done')
      const { code, out } = await command.ended
      expect(code).toBe(0)
      const [first] = recordsOf(out)
      expect(first).toEqual({ event: 'submitted', room, id: again.id, created: true, retryOf: id })
      expect((await scene.job(room, again.id)).redriveOf).toBe(id)
    },
  },
  {
    title: '[N23] the lines of a job are printed as they are, and with -f until it ends',
    run: async (scene) => {
      const { room, worker, env } = await scene.lab()
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      await worker.log(job, 'one', 'two \u001b]0;title\u0007')
      expect(await scene.says(['jobs', 'logs', id], env)).toBe('one\ntwo \n')
      const lines = await scene.says(['jobs', 'logs', id, '--json'], env)
      expect(recordsOf(lines)).toMatchObject([{ number: 0, text: 'one' }, { number: 1 }])
      const command = scene.start(['jobs', 'logs', '-f', id], env)
      await command.said('two')
      await worker.log(job, 'three')
      await command.said('three')
      await worker.failed(job, 'whatever it ends as', false)
      expect(await command.ended).toEqual({ code: 0, out: 'one\ntwo \nthree\n', err: '' })
    },
  },
]

/** As the SDK reports what a handler threw: with its name. */
async function failWithType(worker: RawWorker, job: AttemptName, retryable: boolean): Promise<void> {
  const error = { name: 'TypeError', message: 'no mass' }
  const { ok } = await tell(worker.socket, 'job:failed', [{ ...refOf(job), error, retryable, started: true }])
  expect(ok).toBe(true)
}

async function followsInJson(scene: NounScene): Promise<void> {
  const { room, worker, env } = await scene.lab()
  const command = scene.start([...submit, '--json'], env)
  const job = await worker.assigned.next()
  await worker.started(job)
  await command.said('"running"')
  for (let n = 1; n <= 5; n++) {
    await worker.log(job, `line ${n}`)
    await worker.progress(job, n / 10, `step ${n}`)
    await command.said(`"step ${n}"`)
  }
  await worker.completed(job, { n: 5 })
  const { code, out, err } = await command.ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const told = recordsOf(out)
  const of = (event: string): readonly Told[] => told.filter((one) => one.event === event)
  expect(told[0]).toEqual({ event: 'submitted', room, id: job.id, created: true })
  expect(of('log').map(({ number, text }) => `${number} ${text}`)).toEqual(
    [1, 2, 3, 4, 5].map((n) => `${n - 1} line ${n}`),
  )
  expect(of('progress').map(({ message }) => message)).toEqual([1, 2, 3, 4, 5].map((n) => `step ${n}`))
  const states = of('state').map(({ status }) => String(status))
  expect(states).toEqual([...new Set(states)])
  expect(states.slice(-2)).toEqual(['running', 'completed'])
  expect(told.at(-1)).toMatchObject({ event: 'ended', job: { id: job.id, result: { n: 5 } } })
}
