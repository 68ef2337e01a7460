import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { type Knock, knock } from './edge-scene.ts'

describe('a flood of sign-ins', () => {
  let server: ServerProcess
  beforeAll(async () => {
    // As if it came from ever new addresses and to ever new accounts: only the work itself holds it.
    const tries = ['--sign-in-tries-per-address', '1000000', '--sign-in-tries-per-account', '1000000']
    server = await startServerProcess(['--data-dir', await makeTempDir('flood'), ...tries])
  })
  afterAll(() => server?.child.kill())

  it('[A15] few are worked on at once, few wait, the rest is refused at once, and jobs run on meanwhile', async () => {
    const scene = new FlowScene(server.url, server.admin.token ?? '')
    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }])
    let isOver = false
    const answers: Knock[] = []
    const guess = async (): Promise<void> => {
      while (!isOver)
        answers.push(
          await knock(
            server.url,
            'POST',
            '/api/auth/login',
            {},
            { user: 'root', password: 'wrong password' },
          ),
        )
    }
    const flood = Array.from({ length: 100 }, guess)
    await expect.poll(() => answers.some(({ status }) => status === 503), { timeout: 20_000 }).toBe(true)
    for (let count = 0; count < 20; count += 1) {
      const id = await scene.submit(room, { count })
      const job = await worker.assigned.next()
      expect(job.id).toBe(id)
      expect(await worker.completed(job)).toBe('completed')
    }
    isOver = true
    await Promise.all(flood)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
    const [refused] = answers.filter(({ status }) => status === 503)
    expect(refused).toMatchObject({ code: 'server_busy', retryAfter: expect.any(Number) })
    await scene.signIn('root')
    await scene.close()
  })
})
