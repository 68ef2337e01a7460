// A message for every event to the server, valid and as small as it can be, and where its answer stands.

import type { serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { type AccessScene, probe, rooms } from './access-scene.ts'
import { registration } from './route-requests.ts'
import type { KindOfRoom } from './who.ts'

export type EventName = keyof typeof serverEvents

export interface Acknowledged {
  readonly ok: boolean
  readonly problem?: { readonly code: string }
  readonly answers?: readonly { readonly problem?: { readonly code: string } }[]
}

type Message = (scene: AccessScene, room: KindOfRoom, socket: Socket) => Promise<unknown> | unknown

const attempt: Message = async (scene, room) => [await scene.attempt(room)]
const attemptWith =
  (fields: Readonly<Record<string, unknown>>): Message =>
  async (scene, room) => [{ ...(await scene.attempt(room)), ...fields }]

/** An attempt that its worker has started, and that somebody wants to end where `cancelled`. */
const startedWith =
  (fields: Readonly<Record<string, unknown>>, cancelled = false): Message =>
  async (scene, room) => {
    const given = await scene.attempt(room)
    const path = `/api/rooms/${given.room}/jobs/${given.job}`
    await scene.as('member').expect(200, 'PUT', `${path}/status`, { token: given.token, status: 'running' })
    if (cancelled) await scene.as('owner').expect(202, 'POST', `${path}/cancel`)
    return [{ ...given, ...fields }]
  }

export const eventMessages: Readonly<Record<EventName, Message>> = {
  roomJoin: (_scene, room) => ({ room: rooms[room] }),
  roomLeave: (_scene, room) => ({ room: rooms[room] }),
  systemJoin: () => ({}),
  extensionRegister: (scene, room) => registration(scene, room),
  extensionUnregister: async (scene, room, socket) => {
    await tell(socket, 'extension:register', registration(scene, room))
    return {}
  },
  jobSubmit: (_scene, room) => ({
    room: rooms[room],
    category: probe.category,
    extension: probe.name,
    data: {},
  }),
  jobStarted: attempt,
  jobRejected: attempt,
  jobProgress: startedWith({ fraction: 0.5 }),
  jobLog: startedWith({ lines: ['a line'] }),
  jobCompleted: attemptWith({ started: true }),
  jobFailed: attemptWith({ started: true, error: { message: 'it broke' } }),
  jobStopped: startedWith({ stage: 'acknowledged' }, true),
  lockAcquire: (scene, room) => ({ ...lockOf(scene, room), ttlMs: 10_000 }),
  lockRefresh: heldLock({ ttlMs: 10_000 }),
  lockRelease: heldLock({}),
  lockMessage: heldLock({ message: null }),
}

function lockOf(scene: AccessScene, room: KindOfRoom): { readonly room: string; readonly target: string } {
  return { room: rooms[room], target: `target-${scene.next()}` }
}

/** A lock of its own for each cell, held where the asker may. */
function heldLock(fields: Readonly<Record<string, unknown>>): Message {
  return async (scene, room, socket) => {
    const lock = lockOf(scene, room)
    const held = (await tell(socket, 'lock:acquire', { ...lock, ttlMs: 10_000 })) as { fence?: number }
    return { ...lock, ...fields, fence: held.fence ?? 0 }
  }
}

/** What the server acknowledges; a message that it never answers fails the test by the time limit. */
export function tell(socket: Socket, event: string, payload: unknown): Promise<Acknowledged> {
  return socket.timeout(20_000).emitWithAck(event, payload) as Promise<Acknowledged>
}

/** `ok`, or the code that refuses the message or the report in it. */
export function outcomeOf({ ok, problem, answers }: Acknowledged): string {
  if (!ok) return problem?.code ?? 'refused without a code'
  return answers?.find((answer) => answer.problem)?.problem?.code ?? 'ok'
}
