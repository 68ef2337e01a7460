// Submitting over a connection that stands, for programs that submit one job after the other. What a request meets at its
// door is met here too, so that neither door is the wider one.

import type { Refusal } from '@millrace/domain'
import { serverEvents } from '@millrace/protocol'
import type { Socket } from 'socket.io'
import type { Submitted } from '../job/submit-jobs.ts'
import { type JobRequest, submitToExtension } from '../job/submit-to-extension.ts'
import { overrunOf } from '../limits/overrun-of.ts'
import { refusedHere } from '../refusal/problem-of.ts'
import { openRoom } from '../room/rooms.ts'
import type { ServerParts } from '../server-parts.ts'
import { addEvent, type EventDoor } from './event-handler.ts'

export function submitEvents(parts: ServerParts, door: EventDoor): (socket: Socket) => void {
  return addEvent(door, serverEvents.jobSubmit, async ({ payload, who }) => {
    const { room: name, category, extension, scope, ...request } = payload
    const bodyBytes = bytesOf(request)
    const overrun = await overrunOf(
      parts.edge,
      who,
      { bytes: bodyBytes, bringsJobs: true },
      parts.store.now(),
    )
    if (overrun !== null) return overrun
    const room = await openRoom(parts.rooms, name, who, 'submit')
    if ('refused' in room) return room
    if (category === 'settings') return settingsByRest()
    const wanted = { category, name: extension, ...(scope !== undefined && { scope }) }
    const body = { requests: [request], bodyBytes, isByProgram: true } as const
    const submitted = await submitToExtension(parts.submitting, who, room, wanted, body)
    if ('refused' in submitted) return submitted
    if ('values' in submitted) throw new TypeError(`${category} was taken for settings`)
    return submitted.jobs[0] as Submitted
  })
}

/** They are stored and answered with what they are by then, which is no job. */
function settingsByRest(): Refusal {
  const message = 'Settings are stored, not run: submit them by POST /api/rooms/{room}/jobs.'
  return refusedHere('submission_out_of_range', message)
}

/** As the library wrote it, or nearly: it does not say. */
function bytesOf(request: JobRequest): number {
  return Buffer.byteLength(JSON.stringify(request))
}
