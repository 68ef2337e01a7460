// Listens to one job of a room on a socket. What happens is only a hint to look again: the state itself is fetched by
// HTTP, after joining, after a gap in the room's numbers, and after every reconnect, so nothing that lasts is missed.

import type { AnswerOf, clientEvents, LogLine, PayloadOf, Problem, serverEvents } from '@millrace/protocol'
import type { CliError } from '../output/cli-error.ts'
import { refused } from './api.ts'
import type { Target } from './target.ts'

export interface JobFeedHooks {
  /** Something may have changed: fetch it. */
  look(): void
  progress(fraction: number, message: string | undefined): void
  lines(lines: readonly LogLine[]): void
  /** The connection is gone; it comes back by itself. */
  lost(reason: string): void
  /** The server does not let us listen, now or ever. */
  refused(error: CliError): void
}

export interface JobFeed {
  /** From now on, and after every reconnect, this job is meant. */
  join(job: string): void
  close(): void
}

type Joined = AnswerOf<typeof serverEvents.roomJoin>
type Progressed = PayloadOf<typeof clientEvents.jobProgressed>
type Logged = PayloadOf<typeof clientEvents.jobLogged>

interface Batch {
  readonly room: string | null
  readonly epoch: string
  readonly from: number
  readonly to: number
  readonly events: readonly { readonly id?: string }[]
}

const answerMs = 10_000
const reconnectMs = { first: 250, last: 3_000 }

export async function openJobFeed(target: Target, room: string, hooks: JobFeedHooks): Promise<JobFeed> {
  const { io } = await import('socket.io-client')
  const { origin, pathname } = new URL(target.url)
  const socket = io(origin, {
    // Behind a proxy the server may have a folder of its own; left in the address it would name a namespace.
    path: `${pathname.replace(/\/$/, '')}/socket.io/`,
    auth: { token: target.token },
    forceNew: true,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: reconnectMs.first,
    reconnectionDelayMax: reconnectMs.last,
  })
  let job: string | null = null
  let told: { epoch: string; last: number | null } | null = null

  const join = (): void => {
    if (job === null || !socket.connected) return
    socket.timeout(answerMs).emit('room:join', { room, job }, (error: Error | null, answer: Joined) => {
      if (error) return
      if (!answer.ok) return hooks.refused(refusedHere(answer.problem, target))
      told = { epoch: answer.epoch, last: answer.sequence }
      hooks.look()
    })
  }
  socket.on('connect', join)
  socket.on('disconnect', (reason) => {
    told = null
    hooks.lost(reason)
    // The client comes back from a broken connection by itself, but not when the server has shown it the door.
    if (!socket.active && reason !== 'io client disconnect') socket.connect()
  })
  socket.on('connect_error', (error: Error & { data?: Problem }) => {
    // A server that is full or starting says so with 503: that passes.
    if (error.data && error.data.status < 500) hooks.refused(refusedHere(error.data, target))
    else hooks.lost(error.message)
  })
  socket.on('feed:reset', () => hooks.look())
  socket.on('job:progress', ({ jobs }: Progressed) => {
    for (const one of jobs) if (one.id === job) hooks.progress(one.fraction, one.message)
  })
  socket.on('job:log', ({ id, lines }: Logged) => {
    if (id === job) hooks.lines(lines)
  })
  socket.onAny((_event: string, payload: unknown) => {
    if (!isBatch(payload) || payload.room !== room) return
    const { epoch, from, to, events } = payload
    const isGap = told?.epoch !== epoch || (told.last !== null && from > told.last + 1)
    told = { epoch, last: to }
    if (isGap || events.some(({ id }) => id === job)) hooks.look()
  })
  return {
    join: (id) => {
      job = id
      join()
    },
    close: () => socket.disconnect(),
  }
}

function refusedHere(problem: Problem, target: Target): CliError {
  return refused(problem.status, problem, target)
}

function isBatch(payload: unknown): payload is Batch {
  return typeof payload === 'object' && payload !== null && 'from' in payload && 'to' in payload
}
