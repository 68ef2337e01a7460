// Limits over time, on a clock that stands still until a test moves it.

import { RateBook } from '@millrace/server'
import { afterEach, describe, expect, it } from 'vitest'
import { tell } from '../server-flow/checked-client.ts'
import { EdgeScene } from './edge-scene.ts'

describe('what one client may ask', () => {
  let scene: EdgeScene
  const open = async (...args: readonly string[]): Promise<EdgeScene> => {
    scene = await EdgeScene.open(...args)
    return scene
  }
  afterEach(() => scene?.close())

  it('[A13] an account waits after five wrong passwords, others do not, and the right one works after the wait', async () => {
    await open()
    const [{ user }, other] = [await scene.user(), await scene.user()]
    for (let count = 0; count < 5; count += 1)
      expect(await scene.signInAs(user, 'wrong password')).toMatchObject({ status: 401 })
    const right = await scene.signInAs(user, 'a password for tests')
    expect(right).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 1 })
    expect(right.detail).toContain('5 failed sign-ins to this account')
    await scene.signIn(other.user)
    scene.clock.now += 1_000
    expect(await scene.signInAs(user, 'wrong password')).toMatchObject({ status: 401 })
    expect(await scene.signInAs(user, 'wrong password')).toMatchObject({ status: 429, retryAfter: 2 })
    scene.clock.now += 2_000
    expect(await scene.signInAs(user, 'a password for tests')).toMatchObject({ status: 200 })
  })

  it('[A13] a name that nobody has waits like one that somebody has, and many at once are counted one by one', async () => {
    await open()
    const { user } = await scene.user()
    const codes = async (name: string): Promise<unknown> => {
      const all = await Promise.all(Array.from({ length: 20 }, () => scene.signInAs(name, 'wrong password')))
      return all.map(({ status, retryAfter }) => [status, retryAfter]).toSorted()
    }
    const known = await codes(user)
    expect(known).toEqual([...Array(5).fill([401, null]), ...Array(15).fill([429, 1])])
    expect(await codes('nobody-at-all')).toEqual(known)
  })

  it('[A13] an address waits whichever accounts and codes it tries, and right ones in between change nothing', async () => {
    await open('--sign-in-tries-per-address', '4')
    const { user } = await scene.user()
    for (const name of ['ann', 'bob']) await scene.signInAs(name, 'wrong password')
    for (let count = 0; count < 10; count += 1)
      expect(await scene.signInAs(user, 'a password for tests')).toMatchObject({ status: 200 })
    await scene.signInAs('eve', 'wrong password')
    const code = { code: 'x'.repeat(43) }
    expect(await scene.knock('POST', '/api/auth/login', {}, code)).toMatchObject({ status: 401 })
    const waits = await scene.knock('POST', '/api/auth/login', {}, code)
    expect(waits).toMatchObject({ status: 429, retryAfter: 1 })
    expect(waits.detail).toContain('4 failed sign-ins from this address')
    expect(await scene.signInAs(user, 'a password for tests')).toMatchObject({ status: 429 })
    scene.clock.now += 1_000
    expect(await scene.signInAs(user, 'a password for tests')).toMatchObject({ status: 200 })
  })

  it('[A14] guests enter at their rate', async () => {
    await open('--guest-entries-per-minute', '3')
    const enter = () => scene.knock('POST', '/api/auth/guest')
    for (let count = 0; count < 3; count += 1) expect(await enter()).toMatchObject({ status: 200 })
    const refused = await enter()
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 20 })
    expect(refused.detail).toContain('guestEntriesPerMinute')
    scene.clock.now += 20_000
    expect(await enter()).toMatchObject({ status: 200 })
  })

  it('[A14] a credential asks at its rate, and one that is used up leaves others alone', async () => {
    await open('--requests-per-minute', '600')
    const [one, other] = [await scene.user(), await scene.user()]
    const bearer = { authorization: `Bearer ${one.token}` }
    const all = await Promise.all(
      Array.from({ length: 120 }, () => scene.knock('GET', '/api/auth/me', bearer)),
    )
    expect(all.filter(({ status }) => status === 200)).toHaveLength(100)
    const refused = all.find(({ status }) => status !== 200)
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 1 })
    expect(refused?.detail).toContain('requestsPerMinute')
    await other.get('/api/auth/me')
    scene.clock.now += 1_000
    await one.get('/api/auth/me')
  })

  it('[A14] a job that is submitted on a socket is a request of its credential like one by REST', async () => {
    await open('--requests-per-minute', '600')
    const user = await scene.user()
    const socket = await user.socket()
    const job = { room: 'nowhere', category: 'modifiers', extension: 'Relax', data: {} }
    const submit = () => tell<{ problem: { code: string } }>(socket, 'job:submit', job)
    for (let count = 0; count < 100; count += 1) expect((await submit()).problem.code).toBe('room_not_found')
    expect(await submit()).toMatchObject({ ok: false, problem: { code: 'rate_limited', status: 429 } })
    await user.refused(429, 'GET', '/api/auth/me')
    scene.clock.now += 1_000
    expect((await submit()).problem.code).toBe('room_not_found')
    socket.close()
  })

  it('[A26] a user sends bodies at a rate: a little above it is held, much is refused, and others are not hit', async () => {
    await open('--upload-bytes-per-minute', '1000000')
    const [one, other] = [await scene.user(), await scene.user()]
    const send = ({ token }: { readonly token: string | null }, bytes: number) =>
      scene.knock('POST', '/api/rooms', { authorization: `Bearer ${token}` }, { name: 'x'.repeat(bytes) })
    // The largest body of any door is 8 MB, so much is there at once; none of these is a name.
    for (let count = 0; count < 8; count += 1) expect(await send(one, 999_900)).toMatchObject({ status: 400 })
    expect(await send(one, 50_000)).toMatchObject({ status: 400 })
    expect(await send(one, 5_000)).toMatchObject({ status: 400 })
    const refused = await send(one, 900_000)
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 52 })
    expect(refused.detail).toContain('uploadBytesPerMinute')
    expect(await send(other, 900_000)).toMatchObject({ status: 400 })
    const me = await scene.knock('GET', '/api/auth/me', { authorization: `Bearer ${one.token}` })
    expect(me).toMatchObject({ status: 200 })
    scene.clock.now += 60_000
    expect(await send(one, 900_000)).toMatchObject({ status: 400 })
  })

  it('[A26] a body that does not say its length counts as the largest that its route takes', async () => {
    await open('--upload-bytes-per-minute', '1000000')
    const { token } = await scene.user()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const send = async () => {
      const body = new Blob(['{"name":1}']).stream()
      const init = { method: 'POST', headers, body, duplex: 'half' } as const
      return (await fetch(`${scene.url}/api/rooms`, init)).status
    }
    for (let count = 0; count < 8; count += 1) expect(await send()).toBe(400)
    expect(await send()).toBe(429)
  })

  it('[A26] jobs of a room log at a rate: lines far above it are dropped, and another room is not hit', async () => {
    await open('--log-bytes-per-minute', '100000')
    // The same job to the end: one that its limit ends while time goes by would leave a slot free for another.
    const talker = async (): Promise<(bytes: number) => Promise<unknown>> => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      await scene.submit(room, {}, { policy: { runLimitMs: 86_400_000 } })
      const { id: job, token } = await worker.assigned.next()
      await tell(worker.socket, 'job:started', [{ room, job, token }])
      return async (bytes) => {
        const lines = Array.from({ length: bytes / 10_000 }, () => 'x'.repeat(10_000))
        const { answers } = await tell<{ answers: readonly unknown[] }>(worker.socket, 'job:log', [
          { room, job, token, lines },
        ])
        return answers[0]
      }
    }
    const [loud, quiet] = [await talker(), await talker()]
    // As much as one message may bring is there at once.
    expect(await loud(2_000_000)).toEqual({ status: 'running' })
    expect(await loud(2_000_000)).toEqual({ status: 'running' })
    expect(await loud(1_000_000)).toMatchObject({ problem: { code: 'log_too_fast' } })
    expect(await quiet(1_000_000)).toEqual({ status: 'running' })
    scene.clock.now += 700_000
    expect(await loud(1_000_000)).toEqual({ status: 'running' })
  })

  it('[A16] what a header says of an address counts only from a proxy that is trusted', async () => {
    await open('--guest-entries-per-minute', '1')
    const enter = (from: string) => scene.knock('POST', '/api/auth/guest', { 'x-forwarded-for': from })
    expect((await enter('192.0.2.1')).status).toBe(200)
    expect((await enter('192.0.2.2')).status).toBe(429)
    await scene.close()

    await open('--guest-entries-per-minute', '1', '--trust-proxy', 'loopback,10.0.0.0/8')
    expect((await enter('192.0.2.1')).status).toBe(200)
    expect((await enter('192.0.2.1')).status).toBe(429)
    expect((await enter('192.0.2.2')).status).toBe(200)
    // What stands before an address that is no proxy's was written by its client.
    expect((await enter('203.0.113.9, 192.0.2.2')).status).toBe(429)
    expect((await enter('192.0.2.2, 10.1.2.3')).status).toBe(429)
    // Whoever has one address of an IPv6 network has them all.
    expect((await enter('2001:db8:1:2::1')).status).toBe(200)
    expect((await enter('2001:db8:1:2:aaaa::2')).status).toBe(429)
    expect((await enter('2001:db8:1:3::1')).status).toBe(200)
  })

  it('[A17] a socket that floods is refused and then cut, and one that waits when told to is not', async () => {
    await open('--messages-per-minute', '60')
    const room = await scene.newRoom()
    const patient = await scene.admin.socket()
    const answers = []
    for (let count = 0; count < 12; count += 1) answers.push(await tell<Told>(patient, 'room:join', { room }))
    expect(answers.map(({ ok }) => ok)).toEqual([...Array(10).fill(true), false, false])
    expect(answers.at(-1)?.problem).toMatchObject({
      code: 'rate_limited',
      status: 429,
      details: { retryAfterMs: 1_000 },
    })
    scene.clock.now += 1_000
    expect(await tell(patient, 'room:join', { room })).toMatchObject({ ok: true })

    const flood = await scene.admin.socket()
    const cut = new Promise<string>((resolve) => flood.once('disconnect', resolve))
    const refused: Told[] = []
    for (let count = 0; count < 200; count += 1)
      flood.emit('room:join', { room }, (told: Told) => refused.push(told))
    expect(await cut).toBe('io server disconnect')
    expect(refused.filter(({ ok }) => ok)).toHaveLength(10)
    expect(refused.filter(({ problem }) => problem?.code === 'rate_limited').length).toBeGreaterThan(50)
    expect(patient.connected).toBe(true)
  })

  it('[A17] messages that nobody asked for count too', async () => {
    await open('--messages-per-minute', '60')
    const flood = await scene.admin.socket()
    const cut = new Promise<string>((resolve) => flood.once('disconnect', resolve))
    for (let count = 0; count < 200; count += 1) flood.emit('no:such-event', { count })
    expect(await cut).toBe('io server disconnect')
  })

  it('[A17] a worker that reports in batches is not hit', async () => {
    await open('--messages-per-minute', '60', '--registrations-per-minute', '100')
    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }], { slots: 500 })
    await scene.submitMany(room, 500)
    const jobs = await worker.assigned.take(500)
    const batch = jobs.map(({ id: job, token }) => ({ room, job, token, started: true, result: {} }))
    const { answers } = await tell<{ answers: readonly { status?: string }[] }>(
      worker.socket,
      'job:completed',
      batch,
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['completed']))
    expect(worker.socket.connected).toBe(true)
  })
})

describe('what limits remember', () => {
  it('[A14] what is remembered is bounded: of many keys the one that came last is not forgotten', () => {
    const book = new RateBook({ count: 1, perMs: 60_000 }, 100)
    for (let key = 0; key < 10_000; key += 1) expect(book.spend(`key-${key}`, 0)).toBeNull()
    expect(book.size).toBe(100)
    expect(book.spend('key-9999', 0)).toMatchObject({ refused: 'rate_limited' })
    expect(book.spend('key-0', 0)).toBeNull()
  })
})

interface Told {
  readonly ok: boolean
  readonly problem?: { readonly code: string }
}
