// Whatever is sent to a route, by whomever: an answer from the catalogue, no fault, and a server that goes on.

import { type Route, routes } from '@millrace/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore, OpenStore } from '../store-contract/contract-scene.ts'
import { codeOf } from './access-matrix.ts'
import { FuzzScene, fuzzers, patience, seed } from './fuzz-scene.ts'
import { hostileText } from './hostile-values.ts'
import { percentEncoded, type Received, type Sent } from './http-exchange.ts'
import type { RouteName } from './route-requests.ts'
import { arbitraryOf, type Hints } from './schema-arbitrary.ts'

export function describeRouteFuzz(storeName: string, openStore: OpenStore): void {
  describe(`fuzzed routes, on ${storeName} (MILLRACE_SEED=${seed})`, () => {
    let opened: OpenedStore
    let scene: FuzzScene
    beforeAll(async () => {
      opened = await openStore({})
      scene = await FuzzScene.open(opened.store)
    })
    afterAll(async () => {
      await scene?.close()
      await opened?.close()
    })

    it.each(Object.keys(routes) as RouteName[])('[A7] %s answers whatever it is sent', async (name) => {
      const call = callOf(routes[name], await scene.freshHints(routes[name].path))
      const property = fc.asyncProperty(fc.constantFrom(...fuzzers), call, async (who, sent) => {
        const headers = { authorization: `Bearer ${await scene.tokenOf(who)}`, ...sent.headers }
        const received = await scene.http.send({ ...sent, headers })
        expect(unexpectedIn(sent, received)).toBeNull()
        expect(scene.access.server.faults).toEqual([])
      })
      const limits = { numRuns: 60 * patience, interruptAfterTimeLimit: 15_000 * patience }
      await fc.assert(property, { seed, ...limits })
    })

    it.each(fuzzers)('[A7] what no client would send is answered too, to %s', async (who) => {
      for (const sent of strangeRequests(await scene.tokenOf(who))) {
        expect(unexpectedIn(sent, await scene.http.send(sent))).toBeNull()
        expect(scene.access.server.faults).toEqual([])
      }
    })

    it('[A8] after all of it, the server is well and a job runs from submit to done', () =>
      scene.expectWell())
  })
}

function callOf(route: Route, hints: Hints): fc.Arbitrary<Sent> {
  const params = route.params ? arbitraryOf(route.params, hints) : fc.constant({})
  const query = route.query ? arbitraryOf(route.query, hints) : fc.constant({})
  const body = route.body ? arbitraryOf(route.body, hints) : fc.constant(undefined)
  const odd = fc.oneof(
    { weight: 20, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: hostileText },
  )
  return fc.tuple(params, query, body, odd).map(([inPath, inQuery, inBody, instead]) => ({
    method: route.method,
    path: pathOf(route.path, inPath, instead) + searchOf(inQuery),
    ...(inBody === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: [JSON.stringify(inBody)] }),
  }))
}

function pathOf(path: string, params: unknown, instead: string | undefined): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = instead ?? (params as Record<string, unknown> | null)?.[name] ?? 'none'
    return percentEncoded(textOf(value)).slice(0, 9_000)
  })
}

function searchOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return `?${percentEncoded(textOf(query)).slice(0, 2_000)}`
  const parts = Object.entries(query).map(([key, value]) => {
    return `${percentEncoded(key)}=${percentEncoded(textOf(value)).slice(0, 2_000)}`
  })
  return parts.length === 0 ? '' : `?${parts.slice(0, 50).join('&')}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Null where the answer is a success, or a refusal as the catalogue has it; 503 is neither, for nothing is down here. */
function unexpectedIn({ method, path }: Sent, { status, headers, text }: Received): string | null {
  if (status === 0 || (status >= 200 && status < 400)) return null
  const answer = { status, headers: new Headers({ 'content-type': headers['content-type'] ?? '' }) }
  if (method === 'HEAD' && text === '' && status < 500) return null
  const code = codeOf({ ...answer, body: bodyOf(text) })
  return /^[a-z_]+$/.test(code) && status < 500 ? null : `${method} ${path.slice(0, 200)}: ${status} ${code}`
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function strangeRequests(token: string): readonly Sent[] {
  const authorization = `Bearer ${token}`
  const path = '/api/rooms/hall/jobs'
  const json = { authorization, 'content-type': 'application/json' }
  const post = (
    body: readonly (string | Buffer)[],
    headers: Record<string, string | string[]> = json,
  ): Sent => ({
    method: 'POST',
    path,
    headers,
    body,
  })
  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const submit = (data: string): string => `{"category":"analysis","extension":"Probe","data":${data}}`
  const bodies = [
    '',
    'null',
    '{',
    '[1,',
    '"',
    'NaN',
    '{"a":1}{"b":2}',
    '\u0000',
    '\ufeff{}',
    '{"__proto__":1}',
  ]
  const types = [
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'application/json; charset=utf-7',
    '',
    ';',
  ]
  return [
    ...bodies.map((body) => post([body])),
    ...types.map((type) => post(['{}'], { authorization, 'content-type': type })),
    ...[100, 10_000, 300_000].flatMap((depth) => [post([deep(depth)]), post([submit(deep(depth))])]),
    post([submit(`"${'x'.repeat(9_000_000)}"`)]),
    post([submit('1e999')]),
    post([submit('{"__proto__":{"polluted":true}}')]),
    post([submit('"\\ud800"')]),
    post([Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])]),
    post([submit('"a'), 'b', 'c"'].map((part, at) => (at === 0 ? part.slice(0, -1) : part))),
    post([`${submit('1').slice(0, 10)}`, submit('1').slice(10)]),
    post(['{', '"a"', ':'], json),
    post(['{}'], { ...json, authorization: [authorization, 'Bearer other'] }),
    post(['{}'], { ...json, 'content-length': '1' }),
    ...['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map((method) => ({
      method,
      path,
      headers: { authorization },
    })),
    ...['//api//rooms', '/api/rooms/', '/API/ROOMS', '/api/rooms/%2e%2e/users', '/api/../api/users', '*'].map(
      (odd) => ({ method: 'GET', path: odd, headers: { authorization } }),
    ),
    { method: 'GET', path: `/api/rooms/${'%41'.repeat(4_000)}`, headers: { authorization } },
    { method: 'GET', path: `/api/jobs?${'a=1&'.repeat(2_000)}`, headers: { authorization } },
    { method: 'GET', path: '/api/jobs?limit=5&limit=6&status=&cursor=job/', headers: { authorization } },
    { method: 'GET', path: `/api/auth/me`, headers: { authorization: `Bearer ${'x'.repeat(12_000)}` } },
  ]
}
