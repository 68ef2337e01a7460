// What stands around the answers: one kind of credential, nothing for other origins, and problems wherever it is no.

import { connect } from 'node:net'
import { routes } from '@millrace/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore } from '../store-contract/contract-scene.ts'
import { sqliteOpener } from '../store-contract/sqlite-opener.ts'
import { codeOf } from './access-matrix.ts'
import { AccessScene, rooms } from './access-scene.ts'
import { addressOf, type RouteName, routeRequests } from './route-requests.ts'

describe('the headers of an answer', () => {
  let opened: OpenedStore
  let scene: AccessScene
  beforeAll(async () => {
    opened = await sqliteOpener({})
    scene = await AccessScene.open(opened.store)
  })
  afterAll(async () => {
    await scene?.close()
    await opened?.close()
  })

  const ask = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(scene.server.url + path, { method, headers })
  const bearer = (): string => `Bearer ${scene.as('member').token}`

  it.each([
    [
      'a cookie',
      () => ({ cookie: `token=${scene.as('member').token}; session=${scene.as('member').token}` }),
    ],
    ['another header', () => ({ 'x-access-token': scene.as('member').token ?? '' })],
  ])('[A4] a token in %s is no credential', async (_what, headers) => {
    const answer = await ask('/api/auth/me', headers())
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'credential_missing' })
  })

  it('[A4] a token in the address is no credential', async () => {
    const { token } = scene.as('member')
    const answer = await ask(`/api/rooms/${rooms.open}?token=${token}&access_token=${token}`, {})
    expect(await answer.json()).toMatchObject({ code: 'credential_missing' })
  })

  it.each([
    'Basic bWF4aTpwYXNz',
    'Bearer',
    'Bearer  ',
    'Bearer a b',
    'Bearer null',
    `Bearer ${'x'.repeat(10_000)}`,
  ])('[A4] case %# of another Authorization is an invalid credential', async (authorization) => {
    const answer = await ask('/api/auth/me', { authorization })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await answer.json()).toMatchObject({ code: 'credential_invalid' })
  })

  it('[A4] no answer sets a cookie or admits another origin, with or without an origin asked', async () => {
    // Last, because it ends the session that the others are asked with.
    const names = [
      ...(Object.keys(routes) as RouteName[]).filter((name) => name !== 'logout'),
      'logout',
    ] as const
    for (const name of names) {
      const { params } = await routeRequests[name](scene, 'open', 'member')
      const path = addressOf(routes[name].path, params)
      for (const method of [routes[name].method, 'OPTIONS']) {
        const answer = await ask(
          path,
          { authorization: `Bearer ${scene.as('viewer').token}`, origin: 'https://elsewhere.example' },
          method,
        )
        const given = [...answer.headers.keys()].filter(
          (key) => key.startsWith('access-control-') || key === 'set-cookie',
        )
        expect({ method, path, given }).toEqual({ method, path, given: [] })
      }
    }
  })

  it.each(['GET', 'OPTIONS', 'POST'])(
    "[A4] the socket's first transport admits no other origin either (%s)",
    async (method) => {
      const path = '/socket.io/?EIO=4&transport=polling'
      const answer = await ask(path, { origin: 'https://elsewhere.example' }, method)
      const given = [...answer.headers.keys()].filter(
        (key) => key.startsWith('access-control-') || key === 'set-cookie',
      )
      expect(given).toEqual([])
    },
  )

  it.each([
    ['a route that does not exist', '/api/nothing', 'GET', 404],
    ['a method that a route does not have', '/api/rooms', 'DELETE', 404],
    ['the root', '/', 'POST', 404],
    ['an address that cannot be decoded', '/api/rooms/%E0%A4%A', 'GET', 400],
    ['a name that is too long', `/api/rooms/${'x'.repeat(5_000)}`, 'GET', 400],
    ['a query with a field that is unknown', '/api/jobs?colour=red', 'GET', 400],
  ])('[A5] %s is answered with a problem', async (_what, path, method, status) => {
    const reply = await ask(path, { authorization: bearer() }, method)
    const answer = { status: reply.status, headers: reply.headers, body: await reply.json() }
    expect(codeOf(answer)).toMatch(/^(?:route_not_found|request_invalid|room_not_found)$/)
    expect(answer.status).toBe(status)
  })

  it('[A5] what is no HTTP request is answered with a problem', async () => {
    const { hostname, port } = new URL(scene.server.url)
    for (const said of ['not http at all\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`]) {
      const heard = await exchange(hostname, Number(port), said)
      expect(heard).toContain('content-type: application/problem+json')
      expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toMatchObject({ code: 'request_invalid' })
    }
  })

  it('[A6] a credential is looked at before the body: a stranger learns nothing of what a route takes', async () => {
    for (const body of ['{"broken', '{}', `"${'x'.repeat(100_000)}"`]) {
      const answer = await fetch(`${scene.server.url}/api/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect(await answer.json()).toMatchObject({ code: 'credential_missing' })
    }
  })
})

function exchange(host: string, port: number, said: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, host, () => socket.write(said))
    socket.setEncoding('utf8').on('data', (part: string) => {
      heard += part.replace(/^Content-Type/im, 'content-type')
    })
    socket.once('close', () => resolve(heard)).once('error', reject)
  })
}
