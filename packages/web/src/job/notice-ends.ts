// Says when a job of mine has ended that I submitted in this tab: a toast that leads to it, and a notification of the system
// while the page is hidden and I allowed it. The toast that told of the submit turns into that of the end.

import { notifications } from '@mantine/notifications'
import { routes } from '@millrace/protocol'
import { createElement } from 'react'
import { call } from '../connection/api.ts'
import { ApiProblem } from '../connection/api-problem.ts'
import { placeOfJob } from '../shell/places.ts'
import { type Awaited, AwaitedEnds } from './awaited-ends.ts'
import { EndedToast } from './ended-toast.tsx'
import type { JobPatch } from './job-row.ts'

const key = 'millrace.awaited'

export const awaitedEnds: AwaitedEnds = new AwaitedEnds({
  statusOf: (room, id) =>
    call(routes.getJob, { params: { room, id } }).then(
      ({ status }) => status,
      (fault) => {
        if (fault instanceof ApiProblem && fault.status === 404) return null
        throw fault
      },
    ),
  tell: tellEnd,
  // A browser that keeps nothing still knows them until the page is loaded anew.
  kept: {
    read: () => attempt(() => sessionStorage.getItem(key)) ?? null,
    write: (text) => void attempt(() => sessionStorage.setItem(key, text)),
  },
})

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

export function toastOf(id: string): string {
  return `job-${id}`
}

export function expectEnd(id: string, job: Awaited): void {
  awaitedEnds.expect(id, job)
}

/** Whoever looks at the job needs no word of it. */
export function hideToast(id: string): void {
  notifications.hide(toastOf(id))
}

function tellEnd(id: string, job: Awaited, status: JobPatch['status']): void {
  if (document.visibilityState === 'hidden') notifySystem(id, job, status)
  if (location.pathname === placeOfJob(job.room, id)) {
    hideToast(id)
    return
  }
  const toast = {
    id: toastOf(id),
    message: createElement(EndedToast, { room: job.room, id, extension: job.extension, status }),
    color: status === 'completed' ? 'green' : status === 'failed' ? 'red' : 'gray',
    autoClose: 8_000,
    withBorder: true,
  }
  // To show what is shown already does nothing, and so does changing what is not shown.
  notifications.show(toast)
  notifications.update(toast)
}

function notifySystem(id: string, { room, extension }: Awaited, status: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const note = new Notification(`${extension} ${status}`, { body: `in ${room}`, tag: id })
  note.onclick = () => {
    globalThis.focus()
    location.assign(placeOfJob(room, id))
  }
}
