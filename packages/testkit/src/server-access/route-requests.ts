// A request for every route, valid and as small as it can be, so that the answer says who may ask and nothing else.

import type { routes } from '@millrace/protocol'
import type { ApiClient } from '../server/api-client.ts'
import { type AccessScene, names, probe, rooms } from './access-scene.ts'
import type { KindOfRoom, Who } from './who.ts'

export type RouteName = keyof typeof routes

export interface Asked {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** In place of the usual session, for a request that ends the session it comes with. */
  readonly client?: ApiClient
}

type Request = (scene: AccessScene, room: KindOfRoom, who: Who) => Promise<Asked> | Asked

const nothing: Request = () => ({})
const ofRoom: Request = (_scene, room) => ({ params: { room: rooms[room] } })
const ofProbe: Request = (_scene, room) => ({ params: { room: rooms[room], ...probe } })
const ofJob: Request = (scene, room) => ({ params: { room: rooms[room], id: scene.jobs[room] } })

/** Of jobs that are not there each is refused for itself; the request is not. */
const ofMany: Request = (_scene, room) => ({ params: { room: rooms[room] }, body: { ids: ['none'] } })

/** Everybody has a target of their own in each room, which they hold where the request is about a holding. */
function ofLock(fields: Readonly<Record<string, unknown>>, held = false): Request {
  return async (scene, room, who) => {
    const params = { room: rooms[room], target: who.toLowerCase() }
    if (!held) return { params, body: fields }
    const path = `/api/rooms/${params.room}/locks/${params.target}/acquire`
    const { body } = await scene.as(who, room).call<{ fence?: number }>('POST', path, { ttlMs: 10_000 })
    return { params, body: { ...fields, fence: body.fence ?? 0 } }
  }
}

/** Guests can be members and need no account, so a cell can have one of its own. */
export function guestNamed(number: number): string {
  return `guest-${String(number).padStart(8, '0')}`
}

export const routeRequests: Readonly<Record<RouteName, Request>> = {
  login: async (scene) => ({ body: { code: await scene.loginCode(names.user) } }),
  enterAsGuest: nothing,
  me: nothing,
  logout: async (scene, room, who) => ({ client: await scene.secondSession(who, room) }),
  listUsers: nothing,
  createUser: (scene) => ({
    body: { user: `new-${scene.next()}`, password: 'long enough', role: 'user' },
  }),
  changeUser: () => ({ params: { user: names.viewer }, body: { role: 'user' } }),
  removeUser: async (scene) => {
    const user = `gone-${scene.next()}`
    await scene.server.as(user)
    return { params: { user } }
  },
  createToken: (_scene, room) => ({ body: { room: rooms[room] } }),
  listTokens: nothing,
  listRoomTokens: ofRoom,
  revokeToken: async (scene, room) => {
    const made = await scene
      .as('member')
      .expect<{ id: string }>(201, 'POST', '/api/tokens', { room: rooms[room] })
    return { params: { id: made.id } }
  },

  listRooms: nothing,
  createRoom: (scene) => ({ body: { name: `made-${scene.next()}` } }),
  getRoom: ofRoom,
  changeRoom: (_scene, room) => ({ params: { room: rooms[room] }, body: { weight: 1 } }),
  setMember: (scene, room) => ({
    params: { room: rooms[room], user: guestNamed(scene.next()) },
    body: { role: 'viewer' },
  }),
  removeMember: async (scene, room) => {
    const params = { room: rooms[room], user: guestNamed(scene.next()) }
    const path = `/api/rooms/${params.room}/members/${params.user}`
    await scene.as('owner').expect(200, 'PUT', path, { role: 'viewer' })
    return { params }
  },

  listExtensions: ofRoom,
  getExtension: ofProbe,
  extensionStats: ofProbe,
  extensionsOverview: nothing,
  getValues: ofProbe,
  submitToExtension: (_scene, room) => ({ params: { room: rooms[room], ...probe }, body: { data: {} } }),
  submitManyToExtension: (_scene, room) => ({
    params: { room: rooms[room], ...probe },
    body: { jobs: [{ data: {} }] },
  }),
  pauseExtension: ofProbe,
  resumeExtension: ofProbe,
  resetBreaker: ofProbe,
  admitUser: (_scene, room) => ({ params: { room: rooms[room], ...probe, user: names.elsewhere } }),
  dismissUser: (_scene, room) => ({ params: { room: rooms[room], ...probe, user: names.elsewhere } }),

  submitJob: (_scene, room) => ({
    params: { room: rooms[room] },
    body: { category: probe.category, extension: probe.name, data: {} },
  }),
  listRoomJobs: ofRoom,
  listAllJobs: nothing,
  getJob: ofJob,
  whyJob: ofJob,
  jobEvents: ofJob,
  jobLogs: ofJob,
  cancelJob: async (scene, room) => ({ params: { room: rooms[room], id: await scene.submitted(room) } }),
  retryJob: async (scene, room) => ({ params: { room: rooms[room], id: await scene.ended(room) } }),
  listDeadLetters: ofRoom,
  redriveDeadLetters: ofMany,
  cancelJobs: ofMany,
  retryJobs: ofMany,
  reportStatus: async (scene, room) => {
    const { job, token } = await scene.attempt(room)
    return { params: { room: rooms[room], id: job }, body: { token, status: 'running' } }
  },
  nextJob: (scene, room) => ({ body: { worker: scene.worker(room) } }),

  registerWorker: (scene, room) => ({ body: registration(scene, room) }),
  beatWorker: (scene, room) => ({ params: { id: scene.worker(room) }, body: { running: [], free: 1 } }),
  listWorkers: nothing,
  getWorker: (scene, room) => ({ params: { id: scene.worker(room) } }),
  drainWorker: (scene, room) => ({ params: { id: scene.worker(room) } }),
  undrainWorker: (scene, room) => ({ params: { id: scene.worker(room) } }),
  disconnectWorker: async (scene, room) => ({ params: { id: await scene.newWorker(room) } }),

  listLocks: ofRoom,
  acquireLock: ofLock({ ttlMs: 10_000 }),
  refreshLock: ofLock({ ttlMs: 10_000 }, true),
  releaseLock: ofLock({}, true),
  messageLock: ofLock({ message: null }, true),

  listAudit: nothing,
  listRoomAudit: ofRoom,

  live: nothing,
  ready: nothing,
  metrics: nothing,
  openapi: nothing,

  getPlacement: nothing,
  placementHistory: nothing,
  whatIfPlacement: (_scene, room) => ({ body: { extensions: [{ room: rooms[room], ...probe }] } }),
  listErrors: nothing,
  getSeries: nothing,
  getOverview: nothing,
  getPresence: ofRoom,
  recentInputs: ofProbe,
  getConfig: nothing,
}

/** A worker and an extension that nobody has heard of. */
export function registration(scene: AccessScene, room: KindOfRoom): Readonly<Record<string, unknown>> {
  const number = scene.next()
  return {
    worker: { id: `new-${number}` },
    extensions: [{ room: rooms[room], category: 'analysis', name: `New${number}`, schema: {} }],
  }
}

export function addressOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
