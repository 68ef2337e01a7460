// Says when a job of mine has ended that I submitted in this browser: a toast that leads to it, and a notification of the
// system while the page is hidden and I allowed it.

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

export function expectEnd(id: string, job: Mine): void {
  mine.set(id, job)
}

export function noticeEnds(_client: QueryClient, patches: readonly JobPatch[]): void {
  for (const { id, status } of patches) {
    const job = mine.get(id)
    if (!job || !isEnded(status)) continue
    mine.delete(id)
    if (document.visibilityState === 'hidden') notifySystem(id, job, status)
    // Whoever looks at the job sees it end.
    if (location.pathname === placeOfJob(job.room, id)) continue
    notifications.show({
      message: createElement(EndedToast, { room: job.room, id, extension: job.extension, status }),
      color: status === 'completed' ? 'green' : status === 'failed' ? 'red' : 'gray',
      autoClose: 8_000,
      withBorder: true,
    })
  }
}

function notifySystem(id: string, { room, extension }: Mine, status: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const note = new Notification(`${extension} ${status}`, { body: `in ${room}`, tag: id })
  note.onclick = () => {
    globalThis.focus()
    location.assign(placeOfJob(room, id))
  }
}
