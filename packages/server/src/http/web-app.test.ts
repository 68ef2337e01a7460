import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpServer } from './http-server.ts'
import { Site } from './site.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const page = '<!doctype html><title>the app</title>'
const script = 'export const answer = 42\n'.repeat(50)

describe('the web app at the server', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-web-app-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const open = () =>
    createHttpServer({
      bodyMaxBytes: 1_000,
      docs: true,
      version: '0',
      webFolder: folder,
      site: new Site({ onLoopback: true, publicUrl: null, corsOrigins: [] }),
      maxConnections: 10,
      headerTimeoutMs: 10_000,
      requestTimeoutMs: 10_000,
      onFault: () => undefined,
    })

  async function build(): Promise<void> {
    await mkdir(join(folder, 'assets'), { recursive: true })
    await writeFile(join(folder, 'index.html'), page)
    await writeFile(join(folder, 'assets/app-1a2b.js'), script)
    await writeFile(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(script))
  }

  it.each(['/', '/rooms/lab', '/login?code=x', '/rooms/lab/jobs/1'])(
    '[U56] %s is its one page, never kept',
    async (url) => {
      await build()
      const app = await open()
      const answer = await app.inject({ url, headers: browser })
      expect([answer.statusCode, answer.body]).toEqual([200, page])
      expect(answer.headers['cache-control']).toBe('no-cache')
      expect(answer.headers['content-security-policy']).toContain("script-src 'self';")
      await app.close()
    },
  )

  it('[U56] its files are named by their content and kept for ever, compressed where that was done', async () => {
    await build()
    const app = await open()
    const url = '/assets/app-1a2b.js'
    const plain = await app.inject({ url })
    expect(plain.body).toBe(script)
    expect(plain.headers['cache-control']).toContain('immutable')
    const small = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.rawPayload.length).toBeLessThan(script.length)
    await app.close()
  })

  it.each([
    ['GET', '/api/nowhere', browser],
    ['GET', '/assets/gone.js', browser],
    ['GET', '/socket.io/nowhere', browser],
    ['GET', '/rooms/lab', { accept: 'application/json' }],
    ['POST', '/rooms/lab', browser],
    ['GET', '/assets/..%2f..%2fpackage.json', browser],
  ] as const)('[U56] %s %s is a problem for whoever asks so', async (method, url, headers) => {
    await build()
    const app = await open()
    const answer = await app.inject({ method, url, headers })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    await app.close()
  })

  it('[U56] where nothing was built the page says how, and a build is served without a restart', async () => {
    const app = await open()
    expect((await app.inject({ url: '/', headers: browser })).body).toContain('npm run build')
    await build()
    expect((await app.inject({ url: '/', headers: browser })).body).toBe(page)
    await app.close()
  })
})
