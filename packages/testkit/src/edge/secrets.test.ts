// Secrets of a whole session: that none is in the log, and that a new server knows none but its own.

import { fileURLToPath } from 'node:url'
import { maskSecrets, nodeFlags } from '@millrace/server'
import { afterEach, describe, expect, it } from 'vitest'
import { type ChildLines, startChild } from '../process/child-process.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { ApiClient } from '../server/api-client.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { knock } from './edge-scene.ts'

const mainFile = fileURLToPath(import.meta.resolve('@millrace/server/main'))

let child: ChildLines
afterEach(() => child?.kill())

/** A server that nobody was given a password for: it prints a code that works once. */
async function startBare(
  ...args: readonly string[]
): Promise<{ readonly url: string; readonly code: string }> {
  const place = ['--data-dir', await makeTempDir('secrets'), '--port', '0']
  child = startChild(process.execPath, [...nodeFlags, mainFile, ...place, ...args], {
    MILLRACE_METRICS_TOKEN: 'figures-0123456789abcdef',
  })
  const login = await child.line((line) => line.includes('"code":"'))
  const [, url = ''] = /(http:\/\/\S+)\/api/.exec(login) ?? []
  const [, code = ''] = /"code":"([^"]+)"/.exec(login) ?? []
  return { url, code }
}

describe('the log of a server', () => {
  it('[A24] holds none of the secrets of a whole session, with every request a line', async () => {
    const { url, code } = await startBare('--log-level', 'debug', '--guests')
    const nobody = new ApiClient(url, null)
    const session = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', { code })
    const secrets = new Set([code, session.token, 'figures-0123456789abcdef'])
    const scene = new FlowScene(url, session.token)
    const password = 'a secret nobody may read'
    await scene.admin.expect(201, 'POST', '/api/users', { user: 'ann', password, role: 'user' })
    const wrong = 'a wrong guess at a secret'
    for (const each of [password, wrong]) secrets.add(each)
    const signedIn = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', {
      user: 'ann',
      password,
    })
    await knock(url, 'POST', '/api/auth/login', {}, { user: 'ann', password: wrong })
    const guest = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/guest')
    const room = await scene.newRoom()
    const made = await scene.admin.expect<{ token: string }>(201, 'POST', '/api/tokens', { room })
    for (const { token } of [signedIn, guest, made]) secrets.add(token)

    // Where a browser or a careless program would put them.
    const queries = [...secrets].map(
      (secret) => `code=${encodeURIComponent(secret)}&token=${secret}&state=${encodeURIComponent(secret)}`,
    )
    for (const query of queries) {
      await knock(url, 'GET', `/?${query}`)
      await knock(url, 'GET', `/api/rooms?${query}`, { authorization: `Bearer ${made.token}x` })
      await knock(url, 'GET', `/socket.io/?EIO=4&transport=polling&${query}`)
    }
    await knock(url, 'GET', '/metrics', { authorization: 'Bearer figures-0123456789abcdef' })
    await scene.admin.call('PATCH', '/api/users/ann', { password: 'short' })
    await expect(new ApiClient(url, `${made.token}x`).socket()).rejects.toThrow('credential_invalid')

    const worker = await scene.worker([{ room }], {}, scene.withToken(made.token, 'admin'))
    await scene.submit(room, { answer: 42 })
    const job = await worker.assigned.next()
    secrets.add(job.token)
    await worker.completed(job)
    await knock(
      url,
      'PUT',
      `/api/rooms/${room}/jobs/${job.id}/status`,
      {},
      { token: job.token, status: 'completed' },
    )
    await scene.close()
    await child.line((line) => line.includes('ended: client namespace disconnect'))

    const logged = child.lines.filter((line) => line.startsWith('{')).join('\n')
    expect(logged).toContain('POST \\"/api/auth/login\\" 200')
    expect(logged).toContain('POST \\"/api/auth/login\\" 401')
    expect(logged).toContain('of admin opened')
    expect([...secrets].filter((secret) => logged.includes(secret))).toEqual([])
    expect(secrets.size).toBe(9)
  })

  it.each([
    ['a token', 'refused eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl here', 'refused [token] here'],
    ['a header', 'sent authorization: Bearer abc.def, then', 'sent authorization: Bearer [masked], then'],
    [
      'an address',
      'connect redis://user:pass@10.0.0.1:6379 failed',
      'connect redis://[masked]@10.0.0.1:6379 failed',
    ],
    ['a query', 'GET /?code=abc%20d&x=1', 'GET /?code=[masked]&x=1'],
    ['a body', 'got {"user":"ann","password":"a \\" b"}', 'got {"user":"ann","password":"[masked]"}'],
    ['nothing', 'the password was wrong; code 5', 'the password was wrong; code 5'],
  ])('[A24] what slips into a message is masked: %s', (_what, said, logged) => {
    expect(maskSecrets(said)).toBe(logged)
  })
})

describe('a new server', () => {
  it('[A25] lets nobody in but by what it was given, and keeps nothing that works twice', async () => {
    const { url, code } = await startBare()
    const names = ['admin', 'root', 'user', 'guest', 'test', 'millrace', 'pool', '']
    const passwords = ['', 'admin', 'root', 'password', 'changeme', 'millrace', 'admin1234', '12345678']
    const statuses = new Set<number>()
    for (const user of names)
      for (const password of passwords)
        statuses.add((await knock(url, 'POST', '/api/auth/login', {}, { user, password })).status)
    // Wrong, not of the form that a route takes, or too often: none of them in.
    expect([...statuses].filter((status) => ![400, 401, 429].includes(status))).toEqual([])
    expect(await knock(url, 'POST', '/api/auth/guest')).toMatchObject({ status: 403, code: 'guests_off' })
    for (const token of ['', 'null', 'undefined', 'admin'])
      expect((await knock(url, 'GET', '/api/users', { authorization: `Bearer ${token}` })).status).toBe(401)
    await child.kill()
    const second = await startBare()
    expect(second.code).not.toBe(code)
    const nobody = new ApiClient(second.url, null)
    expect((await nobody.call('POST', '/api/auth/login', { code })).status).toBe(401)
    const { token } = await nobody.expect<{ token: string }>(200, 'POST', '/api/auth/login', {
      code: second.code,
    })
    expect((await nobody.call('POST', '/api/auth/login', { code: second.code })).status).toBe(401)
    const { users } = await new ApiClient(second.url, token).expect<{ users: { user: string }[] }>(
      200,
      'GET',
      '/api/users',
    )
    expect(users.map(({ user }) => user)).toEqual(['admin'])
  })
})
