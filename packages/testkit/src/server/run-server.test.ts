import { createServer } from 'node:net'
import { join } from 'node:path'
import { openSqliteStore, readConfig, runServer, type ServerRun, StoreFileInUse } from '@millrace/server'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../process/free-port.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { ApiClient } from './api-client.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const builtins = [{ category: 'analysis', name: 'Census' }]

const open: ServerRun[] = []
afterEach(async () => {
  for (const run of open.splice(0)) await run.stop()
})

async function run(...args: readonly string[]): Promise<ServerRun> {
  const read = readConfig({
    args: [...(args.includes('--port') ? [] : ['--port', '0']), ...args],
    env: {},
    readFile: () => '{}',
  })
  if (!('config' in read)) throw new Error(JSON.stringify(read))
  const started = await runServer({ config: read.config, version: 'test', builtins, log: quiet })
  open.push(started)
  return started
}

async function takenPort(): Promise<{ readonly port: number; free(): Promise<void> }> {
  const [server, port] = [createServer(), await freePort()]
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { port, free: () => new Promise((resolve) => server.close(() => resolve())) }
}

describe('a server as the commands run it', () => {
  it('[M52] says by its code that a port is taken, and leaves nothing open: the next try has the store at once', async () => {
    const directory = await makeTempDir('run-server')
    const taken = await takenPort()
    const place = ['--data-dir', directory]
    await expect(run(...place, '--port', String(taken.port))).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await taken.free()
    const second = await run(...place, '--port', String(taken.port))
    expect(second.url).toBe(`http://127.0.0.1:${taken.port}`)
    await expect(openSqliteStore({ file: join(directory, 'store.db') })).rejects.toThrow(StoreFileInUse)
  })

  it('[M52] gives the store back when its secret cannot be used', async () => {
    const directory = await makeTempDir('run-server')
    await expect(run('--data-dir', directory, '--secret-file', directory)).rejects.toThrow(directory)
    const store = await openSqliteStore({ file: join(directory, 'store.db') })
    await store.close()
  })

  it('[U17] signs in whoever runs it, with an account that is made where there is none', async () => {
    const started = await run('--data-dir', await makeTempDir('run-server'))
    const { token, expiresAt } = await started.sessionToken('admin')
    const admin = new ApiClient(started.url, token)
    expect(await admin.expect(200, 'GET', '/api/auth/me')).toEqual({
      user: 'admin',
      role: 'admin',
      room: null,
      expiresAt,
    })
    const code = await started.loginCode('maxi', 'user')
    const nobody = new ApiClient(started.url, null)
    const session = await nobody.expect(200, 'POST', '/api/auth/login', { code })
    expect(session).toMatchObject({ user: 'maxi', role: 'user' })
    await expect(started.loginCode('pool', 'user')).rejects.toThrow('pool')
  })

  it('[R3] makes a sample room once, and leaves one that is there as it is', async () => {
    const started = await run('--data-dir', await makeTempDir('run-server'))
    await started.ensureRoom('lab')
    const { token } = await started.sessionToken('admin')
    const admin = new ApiClient(started.url, token)
    await admin.expect(200, 'PATCH', '/api/rooms/lab', { weight: 3 })
    await started.ensureRoom('lab')
    expect(await admin.expect(200, 'GET', '/api/rooms/lab')).toMatchObject({
      access: 'open',
      weight: 3,
      members: [{ user: 'admin', role: 'owner' }],
    })
    await expect(started.ensureRoom('global')).rejects.toThrow('global')
  })

  it('[U23] mints a token for its own pool, which holds while nobody has an account', async () => {
    const started = await run('--data-dir', await makeTempDir('run-server'))
    const pool = new ApiClient(started.url, await started.poolToken())
    expect(await pool.expect(200, 'GET', '/api/auth/me')).toMatchObject({ user: 'pool', role: 'pool' })
    const registration = {
      worker: { id: 'own', kind: 'pool' },
      extensions: [{ scope: 'builtin', category: 'analysis', name: 'Census', schema: {} }],
    }
    await pool.expect(200, 'POST', '/api/workers/register', registration)
  })

  it('[M39] is reached on this machine by a loopback address when it listens everywhere', async () => {
    const directory = await makeTempDir('run-server')
    const started = await run(
      '--data-dir',
      directory,
      '--host',
      '0.0.0.0',
      '--public-url',
      'https://mill.example',
    )
    expect(started.url).toBe(`http://127.0.0.1:${started.server.port}`)
    expect(started.publicUrl).toBe('https://mill.example')
    expect(started.store.kind).toBe('sqlite')
    expect(await new ApiClient(started.url, null).expect(200, 'GET', '/health/live')).toEqual({
      status: 'live',
    })
  })
})
