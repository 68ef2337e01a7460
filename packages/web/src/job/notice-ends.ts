// Says when a job of mine has ended that I submitted in this browser: a toast that leads to it, and a notification of the
// system while the page is hidden and I allowed it. The toast that told of the submit turns into that of the end.

import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { placeOfJob } from '../shell/places.ts'
import { EndedToast } from './ended-toast.tsx'
import { isEnded, type JobPatch } from './job-row.ts'

interface Mine {
  readonly room: string
  readonly extension: string
}

const mine = new Map<string, Mine>()

/** A quick job may have ended before the answer to its submit is here. */
const endedLately = new Map<string, JobPatch['status']>()
const rememberedEnds = 200

export function toastOf(id: string): string {
  return `job-${id}`
}

export function expectEnd(id: string, job: Mine): void {
  const status = endedLately.get(id)
  if (status === undefined) mine.set(id, job)
  else tellEnd(id, job, status)
}

/** Whoever looks at the job needs no word of it. */
export function hideToast(id: string): void {
  notifications.hide(toastOf(id))
}

export function noticeEnds(_client: QueryClient, patches: readonly JobPatch[]): void {
  for (const { id, status } of patches) {
    if (!isEnded(status)) continue
    remember(id, status)
    const job = mine.get(id)
    if (!job) continue
    mine.delete(id)
    tellEnd(id, job, status)
  }
}

function remember(id: string, status: JobPatch['status']): void {
  endedLately.set(id, status)
  const [oldest] = endedLately.keys()
  if (endedLately.size > rememberedEnds && oldest !== undefined) endedLately.delete(oldest)
}

function tellEnd(id: string, job: Mine, status: JobPatch['status']): void {
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

function notifySystem(id: string, { room, extension }: Mine, status: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const note = new Notification(`${extension} ${status}`, { body: `in ${room}`, tag: id })
  note.onclick = () => {
    globalThis.focus()
    location.assign(placeOfJob(room, id))
  }
}
