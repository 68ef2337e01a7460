// The SDK's submitter against a real server, behind a proxy that loses answers and cuts connections.

import {
  createSubmitter,
  defineExtension,
  SubmitRefused,
  type Submitter,
  type SubmitterOptions,
  SubmitUnanswered,
} from '@millrace/worker'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WorkerScene } from './worker-scene.ts'

let scene: WorkerScene
let submitters: Submitter[]

beforeEach(async () => {
  scene = await WorkerScene.open()
  submitters = []
})

afterEach(async () => {
  for (const submitter of submitters) submitter.close()
  await scene.close()
  expect(scene.faults).toEqual([])
})

const noop = defineExtension({
  category: 'analysis',
  name: 'Noop',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  run: async ({ data }) => data.n,
})

const job = (n: unknown) => ({ category: 'analysis', extension: 'Noop', data: { n } })

function open(options: Partial<SubmitterOptions> = {}): Submitter {
  const submitter = createSubmitter({ url: scene.url, token: scene.ann.token ?? '', room: 'lab', ...options })
  submitters.push(submitter)
  return submitter
}

/** Not through the proxy, so that nothing but submits goes that way. */
async function serve() {
  const worker = scene.worker([noop], { url: scene.serverUrl, slots: 10 })
  await worker.start()
  return worker
}

async function failureOf(submitted: Promise<unknown>): Promise<unknown> {
  return submitted.then(
    () => new Error('it was taken'),
    (error: unknown) => error,
  )
}

async function jobsInRoom(): Promise<readonly { readonly id: string }[]> {
  return (await scene.ann.expect<{ jobs: { id: string }[] }>(200, 'GET', '/api/rooms/lab/jobs')).jobs
}

describe('a submitter of the SDK', () => {
  it('[K50] what it was told is taken runs, once each, however many are under way', async () => {
    const worker = await serve()
    const ran: string[] = []
    let allRan = (): void => undefined
    const done = new Promise<void>((resolve) => {
      allRan = resolve
    })
    worker.on('ended', ({ id }) => ran.push(id) === 300 && allRan())
    const submitter = open()
    const taken = await Promise.all(Array.from({ length: 300 }, (_, n) => submitter.submit(job(n))))
    await done
    expect(ran.toSorted()).toEqual(taken.map(({ id }) => id).toSorted())
    expect(taken.every(({ created }) => created)).toBe(true)
  })

  it('[K51] a job whose answer was lost is sent again where it has a key, and is the same job', async () => {
    await serve()
    const submitter = open()
    await submitter.submit(job(1))
    const broken = scene.proxy.breakAt('', { kind: 'lose-answer' })
    const reused = { ...job(2), idempotencyKey: 'second' }
    const submitted = submitter.submit(reused)
    reused.data.n = 3
    await broken
    expect(await submitted).toEqual({ id: expect.any(String), created: false })
    expect((await jobsInRoom()).map(({ id }) => id)).toContain((await submitted).id)
    expect(await jobsInRoom()).toHaveLength(2)
  })

  it('[K51] a job whose answer was lost is not sent again without a key, and is said to be unknown', async () => {
    await serve()
    const submitter = open()
    await submitter.submit(job(1))
    const broken = scene.proxy.breakAt('', { kind: 'lose-answer' })
    const failure = failureOf(submitter.submit(job(2)))
    await broken
    expect(await failure).toBeInstanceOf(SubmitUnanswered)
    expect(await failure).toMatchObject({ wasSent: true })
    // The connection is back, and nothing but the third was sent on it.
    await submitter.submit(job(3))
    expect(await jobsInRoom()).toHaveLength(3)
  })

  it('[K51] what is submitted while there is no server waits for one', async () => {
    await serve()
    await scene.leadWorkersNowhere()
    const reused = job(1)
    const submitted = open().submit(reused)
    reused.data.n = 2
    scene.leadWorkersHome()
    const { id } = await submitted
    expect(await scene.reaches(id, 'completed')).toMatchObject({ result: 1 })
  })

  it('[K52] a job that is refused rejects with what the server says, and the next is taken', async () => {
    await serve()
    const submitter = open()
    const failure = await failureOf(submitter.submit(job('one')))
    expect(failure).toBeInstanceOf(SubmitRefused)
    expect(failure).toMatchObject({
      code: 'data_invalid',
      problem: { details: { errors: [{ pointer: '/n' }] } },
    })
    await submitter.submit(job(1))
    expect(await jobsInRoom()).toHaveLength(1)
  })

  it('[K52] whoever is not let in hears why, and is let in with another credential at the next job', async () => {
    await serve()
    let token = 'no token of ours'
    const submitter = open({ token: () => token })
    expect(await failureOf(submitter.submit(job(1)))).toMatchObject({ code: 'credential_invalid' })
    token = scene.ann.token ?? ''
    await submitter.submit(job(2))
    expect(await jobsInRoom()).toHaveLength(1)
  })

  it('[K53] a job that could not be sent in time, or before the submitter was closed, says so', async () => {
    await scene.leadWorkersNowhere()
    const late = await failureOf(open({ answerMs: 50 }).submit(job(1)))
    expect(late).toBeInstanceOf(SubmitUnanswered)
    expect(late).toMatchObject({ wasSent: false, message: expect.stringContaining('was not sent') })
    const submitter = open()
    const closed = failureOf(submitter.submit(job(1)))
    submitter.close()
    expect(await closed).toMatchObject({ wasSent: false, message: expect.stringContaining('closed') })
    expect(await failureOf(submitter.submit(job(2)))).toMatchObject({ message: 'The submitter is closed.' })
    scene.leadWorkersHome()
    expect(await jobsInRoom()).toEqual([])
  })

  it('[K54] a job whose credential cannot be fetched waits, and is sent with the next', async () => {
    await serve()
    let tries = 0
    const token = (): string => {
      tries += 1
      if (tries === 1) throw new Error('the vault is shut')
      return scene.ann.token ?? ''
    }
    await open({ token }).submit(job(1))
    expect(tries).toBe(2)
    const shut = (): never => {
      throw new Error('the vault is shut')
    }
    const failure = await failureOf(open({ token: shut, answerMs: 1_000 }).submit(job(2)))
    expect(failure).toMatchObject({ wasSent: false, message: expect.stringContaining('the vault is shut') })
    expect(await jobsInRoom()).toHaveLength(1)
  })

  it('[K53] a job larger than a message, or no JSON, is refused before it harms others on its connection', async () => {
    await serve()
    const submitter = open()
    await submitter.submit(job(1))
    const beside = submitter.submit(job(2))
    const large = { ...job(3), data: { n: 3, text: 'x'.repeat(4_000_000) }, idempotencyKey: 'large' }
    expect(await failureOf(submitter.submit(large))).toMatchObject({
      name: 'SubmitRefused',
      code: 'json_too_large',
    })
    const most = { ...job(3), data: { n: 3, text: 'x'.repeat(3_999_600) } }
    const byServer = { problem: { code: 'json_too_large', details: { limit: 1_000_000 } } }
    expect(await failureOf(submitter.submit(most))).toMatchObject(byServer)
    const ring: Record<string, unknown> = {}
    ring['ring'] = ring
    expect(await failureOf(submitter.submit({ ...job(4), data: ring }))).toMatchObject({
      name: 'WorkerError',
      message: expect.stringContaining('The job cannot be written as JSON'),
    })
    await beside
    expect(await jobsInRoom()).toHaveLength(2)
  })

  it('[K53] a job without a room is refused before anything is sent', async () => {
    const submitter = createSubmitter({ url: scene.url, token: scene.ann.token ?? '' })
    submitters.push(submitter)
    expect(await failureOf(submitter.submit(job(1)))).toMatchObject({
      message: expect.stringContaining('room'),
    })
  })
})
