import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'

let redis: RedisProcess
let server: ServerProcess

beforeEach(async () => {
  redis = await RedisProcess.start({ appendfsync: 'always' })
  const place = ['--redis', `redis://${redis.host}:${redis.port}`, '--poll-interval-ms', '200']
  server = await startServerProcess(['--data-dir', await makeTempDir('outage-words'), ...place])
  await server.admin.expect(201, 'POST', '/api/rooms', { name: 'lab' })
})
afterEach(async () => {
  await server.child.kill()
  await redis.stop()
})

interface Line {
  readonly level: number
  readonly msg: string
}

const pinoWarn = 40

function logged(since: number): Line[] {
  return server.child.lines
    .slice(since)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
}

async function detailOf(method: string, path: string, body?: object): Promise<string> {
  const { status, body: problem } = await server.admin.call(method, path, body)
  expect(status).toBe(503)
  return (problem as { detail: string }).detail
}

describe('a server whose Redis is stopped and started', { timeout: 120_000 }, () => {
  it('[M130] says first that it cannot reach its store, and promises nothing of what was sent', async () => {
    await redis.kill()
    const job = { category: 'modifiers', extension: 'Relax', data: {} }
    const [submit, change, read] = await Promise.all([
      detailOf('POST', '/api/rooms/lab/jobs', job),
      detailOf('POST', '/api/rooms', { name: 'other' }),
      detailOf('GET', '/api/rooms/lab/jobs'),
    ])
    for (const detail of [submit, change, read]) expect(detail).toMatch(/^The server cannot reach its store/)
    expect(submit).toMatch(/may have been taken all the same: send it again .* with the same idempotency key/)
    expect(change).toContain('may have been done all the same')
    expect(read).not.toContain('all the same')
  })

  it('[M131] its log has one warning when the store goes out and one line when it is back', async () => {
    for (const asks of [3, 1]) {
      const since = server.child.lines.length
      const before = new Set(server.child.lines)
      const later = (text: string) => (line: string) => line.includes(text) && !before.has(line)
      await redis.kill()
      await server.child.line(later('the store is out'))
      // Each of these is refused after all the patience there is, so every loop has met the outage several times.
      for (let asked = 0; asked < asks; asked++) await detailOf('GET', '/api/rooms/lab/jobs')
      await redis.restart()
      await server.child.line(later('the store is back'))
      const [out, back, ...more] = logged(since)
      expect(more).toEqual([])
      expect(out).toMatchObject({ level: pinoWarn, msg: expect.stringMatching(/^the store is out: Redis /) })
      expect(out).not.toHaveProperty('err')
      expect(
        Number(/^the store is back; it was out for about (\d+) s$/.exec(back?.msg ?? '')?.[1]),
      ).toBeGreaterThan(4 * asks)
    }
  })
})
