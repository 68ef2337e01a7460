// Names of things in a room that mallory must not even know of, in every place of every route and event that takes one.

import { type Route, routes, serverEvents, type ToServerEvent } from '@millrace/protocol'
import fc from 'fast-check'
import { percentEncoded } from '../server-access/http-exchange.ts'
import { arbitraryOf, attemptHint, type Hints } from '../server-access/schema-arbitrary.ts'
import type { Canary } from './canary.ts'
import type { HostileCase, HostileScene } from './hostile-scene.ts'

/** Routes that end the session which asks, or make others of it. */
const left: ReadonlySet<string> = new Set(['logout', 'login', 'enterAsGuest', 'createUser'])
const perPlace = 3

function hintsOf({ room, canary: { room: other, waiting, done, worker, lockFence } }: HostileScene): Hints {
  const token = '0'.repeat(32)
  return {
    [attemptHint]: [waiting, done].flatMap((job) => [
      { room, job, token },
      { room: other, job, token },
    ]),
    room: [room, other],
    id: [waiting, done, worker],
    job: [waiting, done],
    worker: [worker],
    target: ['secret'],
    user: ['owner', 'root'],
    name: ['Echo'],
    extension: ['Echo'],
    category: ['canary'],
    scope: ['room'],
    token: [token],
    fence: [lockFence],
    session: ['owner', 'owner:1', `attempt/${token}`],
    ttlMs: [1_000],
    waitMs: [0],
    submitter: ['owner'],
    cursor: [waiting, done],
  }
}

/** Each combination of a room and an id that a path has place for. */
function pathsOf(path: string, scene: HostileScene): readonly string[] {
  const hints = hintsOf(scene)
  return ['room', 'id', 'target', 'user', 'scope', 'category', 'name'].reduce<readonly string[]>(
    (paths, name) =>
      paths.flatMap((one) =>
        one.includes(`{${name}}`)
          ? (hints[name] ?? []).map((value) => one.replaceAll(`{${name}}`, percentEncoded(String(value))))
          : [one],
      ),
    [path],
  )
}

async function tryRoute(scene: HostileScene, route: Route, seed: number): Promise<void> {
  const hints = hintsOf(scene)
  for (const path of pathsOf(route.path, scene)) {
    const bodies = route.body
      ? fc.sample(arbitraryOf(route.body, hints), { seed, numRuns: perPlace })
      : [null]
    for (const body of bodies) {
      const headers = body === null ? {} : { 'content-type': 'application/json' }
      const sent = { method: route.method, path, headers, body: body === null ? [] : [JSON.stringify(body)] }
      const { status } = await scene.send(sent)
      if (status >= 200 && status < 300 && names(path, scene.canary))
        scene.outrages.push(`${route.method} ${path}: ${status}`)
    }
  }
}

/** A worker of her own may be called like somebody's job. */
function names(path: string, { room, waiting, done, worker }: Canary): boolean {
  const theirs = path.startsWith('/api/workers/') ? [worker] : [room, waiting, done, worker]
  return path.split('/').some((part) => theirs.includes(part))
}

async function tryEvents(scene: HostileScene, seed: number): Promise<void> {
  let socket = await scene.mallory.socket()
  const hints = hintsOf(scene)
  for (const { event, payload } of Object.values(serverEvents) as ToServerEvent[]) {
    for (const value of fc.sample(arbitraryOf(payload, hints), { seed, numRuns: 2 * perPlace })) {
      if (!socket.connected) socket = await scene.mallory.socket()
      // Answered, or cut: then it rejects.
      const answer: unknown = await socket.emitWithAck(event, value).catch(() => null)
      scene.note(event, 0, JSON.stringify(answer))
      if (JSON.stringify(value).includes(scene.canary.room)) expectNo(scene, event, answer)
    }
  }
  socket.close()
}

interface EventAnswer {
  readonly ok: boolean
  readonly answers?: readonly object[]
  readonly extensions?: readonly object[]
  readonly resumed?: readonly object[]
}

/** Events that may be answered well where there was nothing to do: she was not there, and her worker served nothing. */
const idle: ReadonlySet<string> = new Set(['room:leave', 'extension:unregister'])

/** Of something in the canary's room nothing may be done or told; reports are refused one by one. */
function expectNo(scene: HostileScene, event: string, answer: unknown): void {
  const { ok, answers, extensions, resumed } = (answer ?? { ok: false }) as EventAnswer
  // A worker of her own that says it holds an attempt of another room is told to drop it, like one that never was.
  const given = extensions && resumed ? [...extensions, ...resumed] : null
  const done = answers ? answers.some((one) => !('problem' in one)) : given ? given.length > 0 : ok
  if (done && !idle.has(event)) scene.outrages.push(`${event}: ${JSON.stringify(answer)}`)
}

let seed = 20_261_116

export const foreignAttacks: readonly HostileCase[] = [
  {
    name: 'foreign_ids',
    title:
      '[X32] ids of jobs, workers, locks and extensions of another room open nothing, in any route or event',
    attack: async (scene) => {
      seed += 1
      for (const [name, route] of Object.entries(routes) as [string, Route][]) {
        if (!left.has(name)) await tryRoute(scene, route, seed)
      }
      await tryEvents(scene, seed)
    },
  },
]
