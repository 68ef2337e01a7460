// Everything a stranger can ask without naming a private room, as one text per question; and a socket that writes down
// whatever it hears.

import type { Socket } from 'socket.io-client'
import type { ApiClient } from '../server/api-client.ts'

export type View = Readonly<Record<string, string>>

/** Questions about an open room and about no room at all. */
function questions(openRoom: string, openJob: string, shared: string): readonly string[] {
  const room = `/api/rooms/${openRoom}`
  const extension = `${room}/extensions/room/analysis/Shared`
  const orders = ['newest', 'oldest'].flatMap((order) => [1, 2, 500].map((limit) => ({ order, limit })))
  return [
    '/api/auth/me',
    '/api/users',
    '/api/rooms',
    '/api/rooms?limit=1',
    room,
    `${room}/extensions`,
    extension,
    `${extension}/stats`,
    `${extension}/values`,
    `${room}/jobs`,
    ...['', '/why', '/events', '/logs'].map((part) => `${room}/jobs/${openJob}${part}`),
    '/api/extensions/overview',
    ...orders.map(({ order, limit }) => `/api/jobs?order=${order}&limit=${limit}`),
    '/api/jobs?search=zq',
    '/api/jobs?deadLetters=true',
    '/api/jobs?status=pending,completed,failed,cancelled',
    '/api/workers',
    `/api/workers/${shared}`,
    '/health/ready',
    '/openapi.json',
    '/api/placement',
    '/api/placement/history',
    '/api/errors',
    '/api/series',
    '/api/series?span=week',
    '/api/overview',
    `${extension}/recent-inputs`,
  ]
}

export async function viewOf(
  client: ApiClient,
  openRoom: string,
  openJob: string,
  shared: string,
): Promise<View> {
  const view: Record<string, string> = {}
  for (const path of questions(openRoom, openJob, shared)) {
    const { status, body } = await client.call('GET', path)
    view[path] = `${status} ${JSON.stringify(body, timeless)}`
  }
  return view
}

/** Signs of life go on by themselves. */
function timeless(key: string, value: unknown): unknown {
  return ['heardAt', 'leaseUntil'].includes(key) ? 0 : value
}

export function writeDown(socket: Socket, heard: string[]): void {
  socket.onAny((event: string, ...payload: unknown[]) => heard.push(`${event} ${JSON.stringify(payload)}`))
}
